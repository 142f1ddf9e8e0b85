import { ToolRegistry, type ToolSearchOptions } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { thrownBy, tool } from './support.js';

function registryOf(): ToolRegistry {
  const registry = new ToolRegistry();
  registry.register(
    [
      tool('send_email', {
        title: 'Send an e-mail',
        description: 'Sends emails to a person.',
        inputSchema: z.object({ to: z.string().describe('The address'), repository: z.string() }),
        provenance: { server: 'postbox' },
      }),
      tool('create_issue', { description: 'Opens an issue.', searchTerms: ['ticket'] }),
      tool('delete_issue', { description: 'Drops an issue.' }),
    ],
    'deferred',
  );
  registry.register(tool('list_issues', { description: 'Lists issues.' }));
  return registry;
}

const shown = (query: string, options?: ToolSearchOptions) =>
  registryOf()
    .searchHits(query, options)
    .map(({ tool: { name } }) => name);

const first = (query: string) => registryOf().searchHits(query)[0];

describe('searchHits', () => {
  it('tells which words were found, as what and where', () => {
    expect(first('sending emails from postbox')).toMatchObject({
      tool: { name: 'send_email' },
      named: false,
      coverage: 1,
      words: [
        { word: 'sending', found: 'send', match: 'word', fields: ['name', 'title', 'description'] },
        { word: 'emails', found: 'email', match: 'word', fields: ['name', 'description'] },
        { word: 'postbox', found: 'postbox', match: 'word', fields: ['server'] },
      ],
    });
  });

  it.each([
    ['repos', { word: 'repos', found: 'repository', match: 'synonym', fields: ['argumentNames'] }],
    ['addr', { word: 'addr', found: 'address', match: 'beginning', fields: ['argumentDescriptions'] }],
    ['itory', { word: 'itory', found: 'repository', match: 'part', fields: ['argumentNames'] }],
    ['persno', { word: 'persno', found: 'person', match: 'spelling', fields: ['description'] }],
    ['PostBox', { word: 'post', found: 'postbox', match: 'compound', fields: ['server'] }],
    ['tickets', { word: 'tickets', found: 'ticket', match: 'word', fields: ['searchTerms'] }],
    ['邮件', { word: '邮件', found: 'email', match: 'synonym', fields: ['name', 'description'] }],
  ])('explains %j', (query, word) => {
    expect(first(query)?.words[0]).toEqual(word);
  });

  it('gives the part of the query that was found', () => {
    expect(first('email zzzzzz')?.coverage).toBeGreaterThan(0);
    expect(first('email zzzzzz')?.coverage).toBeLessThan(0.5);
    expect(first('SendEmail')).toMatchObject({ named: true, coverage: 1, words: [] });
    expect(first('select:send-email')).toMatchObject({ named: true, coverage: 1, words: [] });
  });

  it('searches active and deferred tools, or those of one state, and never suspended ones', () => {
    expect(shown('issue').sort()).toEqual(['create_issue', 'delete_issue', 'list_issues']);
    expect(shown('issue', { availability: 'active' })).toEqual(['list_issues']);
    expect(shown('issue', { availability: 'deferred' }).sort()).toEqual(['create_issue', 'delete_issue']);
    const registry = registryOf();
    registry.suspendAll();
    expect(registry.searchHits('select:list_issues')).toEqual([]);
  });

  it('shows only what is allowed, and no more than the limit', () => {
    expect(shown('issue', { allowedTools: ['delete_issue'] })).toEqual(['delete_issue']);
    expect(shown('issue', { allowedTools: [] })).toEqual([]);
    expect(shown('issue', { limit: 1 })).toEqual(['list_issues']);
    const registry = new ToolRegistry();
    registry.register(Array.from({ length: 12 }, (_, index) => tool(`issue_${index}`)));
    expect(registry.searchHits('issue')).toHaveLength(10);
  });

  it('fuses an order of the host by rank, after a tool that the query names', () => {
    expect(shown('issue')).toEqual(['list_issues', 'create_issue', 'delete_issue']);
    expect(shown('issue', { ranking: ['delete_issue', 'list_issues'] })).toEqual([
      'list_issues',
      'delete_issue',
      'create_issue',
    ]);
    expect(shown('issue', { ranking: ['send_email', 'nobody'] })[1]).toBe('send_email');
    expect(shown('create_issue', { ranking: ['send_email'] }).slice(0, 2)).toEqual(['create_issue', 'send_email']);
    expect(shown('create_issue', { ranking: ['delete_issue'] })[0]).toBe('create_issue');
    const [hit] = registryOf().searchHits('zzzzzz', { ranking: ['send_email'] });
    expect(hit).toMatchObject({ tool: { name: 'send_email' }, named: false, coverage: 0, words: [] });
  });

  it.each([
    [1, {}],
    ['a', { limit: 0 }],
    ['a', { limit: 1.5 }],
    ['a', { availability: 'suspended' }],
    ['a', { allowedTools: 'a' }],
    ['a', { ranking: [1] }],
  ])('refuses %j %j', (query, options) => {
    expect(thrownBy(() => registryOf().searchHits(query as never, options as never))['code']).toBe(
      'ERR_HOLDFAST_TOOL_REGISTRY_OPTION',
    );
  });

  it('tells the first of several words that answer equally well', () => {
    const registry = new ToolRegistry();
    registry.register(tool('one', { description: 'Todo, task, bug.' }));
    const [hit] = registry.searchHits('ticket');
    expect(hit?.words).toEqual([{ word: 'ticket', found: 'bug', match: 'synonym', fields: ['description'] }]);
  });
});
