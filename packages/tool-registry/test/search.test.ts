import { type ToolDefinition, ToolRegistry } from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anySchema, names, thrownBy, tool } from './support.js';

function deferred(...tools: ToolDefinition[]): (query: string) => string[] {
  const registry = new ToolRegistry();
  registry.register(tools, 'deferred');
  return (query) => names(registry.searchDeferred(query));
}

/** A tool that nothing but its name finds. */
function named(name: string): ToolDefinition {
  return tool(name, { description: '' });
}

describe('search', () => {
  it('finds a prefixed tool by its short name and by its full name', () => {
    const search = deferred(
      named('mcp__agent-tools__list'),
      named('mcp__agent-tools__get_handoff_list'),
      named('mcp__agent-tools__get_handoff'),
    );
    for (const query of ['get_handoff', 'mcp__agent-tools__get_handoff', 'getHandoff', 'GET-HANDOFF']) {
      expect(search(query)[0]).toBe('mcp__agent-tools__get_handoff');
    }
    expect(search('list')[0]).toBe('mcp__agent-tools__list');
  });

  it.each(['a.b', '---', '', '   ', 'a b', '…'])('finds nothing for %j', (query) => {
    expect(deferred(named('alpha'), tool('beta', { description: 'a b. Does a.b' }))(query)).toEqual([]);
  });

  it('puts the exact name first, short and generic ones too', () => {
    expect(deferred(named('try_all'), named('try'), named('retry'))('try')[0]).toBe('try');
    expect(deferred(named('use_it'), named('use'), named('ls'))('use')).toEqual(['use']);
    expect(deferred(named('ls'), named('lsof'))('ls')).toEqual(['ls']);
    expect(deferred(named('get_item'), named('getitem'))('getitem')).toEqual(['getitem', 'get_item']);
    expect(deferred(named('getItem'), named('get_item'))('get_item')).toEqual(['get_item', 'getItem']);
    expect(deferred(named('mcp__shell__ls'), named('mcp__shell__lsof'))('ls')).toEqual(['mcp__shell__ls']);
  });

  it('breaks ties by name in code unit order', () => {
    const search = deferred(named('b_file'), named('a_file'), named('B_file'), named('a-file'));
    expect(search('file')).toEqual(['B_file', 'a-file', 'a_file', 'b_file']);
  });

  it.each(['the', 'use the tool', 'which one should you use', 'this has uses', 'does'])(
    'finds nothing for the stop words of %j',
    (query) => {
      expect(
        deferred(tool('a', { description: 'Use the tool which you should. This has uses, does it?' }))(query),
      ).toEqual([]);
    },
  );

  it('is blind to case and to stop words', () => {
    const search = deferred(named('create_edge'), named('delete_edge'), named('create_node'), named('other'));
    expect(search('The CREATE edge')).toEqual(search('create edge'));
    expect(search('create edge')[0]).toBe('create_edge');
  });

  it('ranks more matched words higher, wherever they stand', () => {
    const search = deferred(
      tool('a', { description: 'Turns on a light.' }),
      tool('b', { description: 'Sets the kitchen light on a schedule.' }),
      tool('c', { description: 'Puts a light on a schedule.' }),
      tool('d', { description: 'Reads mail.' }),
    );
    expect(search('light schedule kitchen')).toEqual(['b', 'c', 'a']);
    expect(search('zzzzzz')).toEqual([]);
  });

  it('ranks both words of a query above one of them that stands in name and description', () => {
    const search = deferred(
      tool('light_on', { description: 'Light.' }),
      tool('x1', { description: 'Sets light schedule.' }),
    );
    expect(search('light schedule')).toEqual(['x1', 'light_on']);
  });

  it('weighs name over description over argument names', () => {
    const search = deferred(
      tool('x1', { description: '', inputSchema: z.object({ invoice: z.string() }) }),
      tool('x2', { description: 'Invoice.' }),
      named('invoice_x'),
    );
    expect(search('invoice')).toEqual(['invoice_x', 'x2', 'x1']);
  });

  it('finds nested argument names, and no values of a schema', () => {
    const inputSchema = z.object({ outer: z.object({ inner: z.array(z.object({ leaf: z.string() })) }) });
    expect(deferred(tool('x1', { inputSchema }))('leaf')).toEqual(['x1']);
    const modelInputSchema = { type: 'object', default: { properties: { hidden: {} } } };
    expect(deferred(tool('x1', { modelInputSchema }))('hidden')).toEqual([]);
  });

  it('splits identifiers of every spelling, in names and in queries', () => {
    const search = deferred(named('getHTTPResponse2xx'), named('send_e-mail'));
    for (const query of ['http', 'response', 'HTTPResponse', 'http_response', 'http.response']) {
      expect(search(query)).toEqual(['getHTTPResponse2xx']);
    }
    expect(search('send.mail')).toEqual(['send_e-mail']);
  });

  it('counts words of two letters, and of one character where a character is a word', () => {
    const search = deferred(named('open_pr'), tool('open_mail', { description: '人' }), named('print'));
    expect(search('pr')).toEqual(['open_pr']);
    expect(search('人')).toEqual(['open_mail']);
  });

  it('reads texts without their accents, dashes and quotes', () => {
    const search = deferred(tool('x1', { description: 'Crée un “café” — vite.' }));
    for (const query of ['cafe', 'café', 'CAFE\u0301', 'vite']) expect(search(query)).toEqual(['x1']);
  });

  it('reads Chinese, Japanese and Korean by pairs of characters', () => {
    const search = deferred(
      tool('x1', { description: '메일을 보낸다' }),
      tool('x2', { description: '일정을 본다' }),
      tool('x3', { description: '会議を予約する' }),
    );
    expect(search('메일')).toEqual(['x1']);
    expect(search('일정')).toEqual(['x2']);
    expect(search('予約')).toEqual(['x3']);
  });

  it('knows words that come and go between two searches by their beginning and by a misspelling', () => {
    const registry = new ToolRegistry();
    const search = (query: string) => names(registry.searchDeferred(query));
    registry.register(named('one'), 'deferred');
    expect([search('kubern'), search('kubernetse')]).toEqual([[], []]);
    registry.register(named('kubernetes'), 'deferred');
    expect([search('kubern'), search('kubernetse')]).toEqual([['kubernetes'], ['kubernetes']]);
    registry.unregister('kubernetes');
    expect([search('kubern'), search('kubernetse')]).toEqual([[], []]);
  });

  it('loads nothing but the names of a selection, in their order', () => {
    const search = deferred(named('b_file'), named('a_file'), named('mcp__disk__c_file'));
    expect(search('select:c_file, B-File,nope,a_file')).toEqual(['mcp__disk__c_file', 'b_file', 'a_file']);
    for (const query of ['select:', 'select:nope', 'select: , ']) expect(search(query)).toEqual([]);
  });

  it('takes a plural for its singular', () => {
    expect(deferred(named('send_email'))('emails')).toEqual(['send_email']);
    expect(deferred(named('list_addresses'), named('pass'))('address')).toEqual(['list_addresses']);
  });

  it('finds whole words of a description, not parts of them', () => {
    expect(deferred(tool('x1', { description: 'Starts it.' }))('art')).toEqual([]);
  });

  it('reads searchTerms and leaves out the stop words of the host', () => {
    expect(deferred(tool('x1', { searchTerms: ['courriel', 'postWoman'] }))('COURRIEL woman')).toEqual(['x1']);
    for (const stopWords of ['Acme', [1]]) {
      const making = () => new ToolRegistry({ search: { stopWords: stopWords as never } });
      expect(thrownBy(making)['option']).toBe('search.stopWords');
    }
    const registry = new ToolRegistry({ search: { stopWords: ['Acme'] } });
    registry.register([named('acme_mail'), named('acme_files')], 'deferred');
    expect(names(registry.searchDeferred('acme mail'))).toEqual(['acme_mail']);
  });

  it('sees tools that come later, and knows active from deferred', () => {
    const registry = new ToolRegistry();
    const both = () => [names(registry.searchDeferred('late')), names(registry.searchActive('late'))];
    expect(both()).toEqual([[], []]);
    registry.register(named('late'), 'deferred');
    expect(both()).toEqual([['late'], []]);
    registry.activate(['late']);
    expect(both()).toEqual([[], ['late']]);
    registry.suspendAll();
    expect(both()).toEqual([[], []]);
    registry.unregister('late');
    registry.register(named('later'), 'deferred');
    expect(both()).toEqual([['later'], []]);
    registry.replace(tool('later', { searchTerms: ['sooner'] }));
    expect(names(registry.searchDeferred('sooner'))).toEqual(['later']);
  });

  it('searchActive finds exact short and generic names', () => {
    const registry = new ToolRegistry();
    registry.register([named('ls'), named('tool'), named('list')]);
    for (const name of ['ls', 'tool', 'list']) expect(names(registry.searchActive(name))).toEqual([name]);
  });

  it('gives definitions, and a new list each time', () => {
    const registry = new ToolRegistry();
    const late = named('late');
    registry.register(late, 'deferred');
    registry.searchDeferred('late').pop();
    expect(registry.searchDeferred('late')[0]).toBe(late);
  });

  it('reads 512 characters and 32 words of a query', () => {
    const search = deferred(named('needle'));
    expect(search(`${'x'.repeat(505)} needle`)).toEqual(['needle']);
    expect(search(`${'x'.repeat(512)} needle`)).toEqual([]);
    // Letters only: a digit would end a word.
    const words = Array.from(
      { length: 32 },
      (_, index) => `q${String.fromCharCode(97 + index / 26, 97 + (index % 26))}`,
    );
    expect(search(`${words.slice(1).join(' ')} needle`)).toEqual(['needle']);
    expect(search(`${words.join(' ')} needle`)).toEqual([]);
  });

  it('refuses a query that is no text', () => {
    expect(thrownBy(() => new ToolRegistry().searchDeferred(undefined as never))['code']).toBe(
      'ERR_HOLDFAST_TOOL_REGISTRY_OPTION',
    );
  });

  it('takes at most 32 names that are selected', () => {
    const all = Array.from({ length: 33 }, (_, index) => `pick_${index}`);
    expect(deferred(...all.map((name) => tool(name)))(`select:${all.join(',')}`)).toEqual(all.slice(0, 32));
  });

  it('ranks what only a rare word that stands for another finds below the word itself', () => {
    const makers = Array.from({ length: 40 }, (_, index) => tool(`x${index}_create`, { description: '' }));
    const found = deferred(tool('x_insert', { description: '' }), ...makers)('create');
    expect(found).toHaveLength(41);
    expect(found.at(-1)).toBe('x_insert');
  });

  it('forgets the words of a tool that was replaced', () => {
    const registry = new ToolRegistry();
    registry.register(tool('one', { description: 'Waters begonias.' }), 'deferred');
    registry.replace(tool('one', { description: 'Feeds hamsters.' }));
    expect(names(registry.searchDeferred('begonias'))).toEqual([]);
    expect(names(registry.searchDeferred('hamsters'))).toEqual(['one']);
  });

  it('reads no description of the input as a whole', () => {
    const registry = new ToolRegistry();
    const properties = { kind: { type: 'string', description: 'A giraffe.' } };
    registry.register(tool('one', { inputSchema: anySchema({ type: 'object', description: 'A zebra.', properties }) }));
    expect(names(registry.searchActive('giraffe'))).toEqual(['one']);
    expect(registry.searchActive('zebra')).toEqual([]);
  });

  it('finds nothing by words that went away with their tool, and finds them when they come back', () => {
    const registry = new ToolRegistry();
    const zebra = tool('one', { description: 'Paints zebras.' });
    registry.register([zebra, tool('two')]);
    expect(names(registry.searchActive('zebr'))).toEqual(['one']);
    registry.unregister('one');
    for (const query of ['zebra', 'zebr', 'ebra', 'zerba']) expect(registry.searchActive(query)).toEqual([]);
    registry.register(zebra);
    for (const query of ['zebra', 'zebr', 'ebra', 'zerba'])
      expect(names(registry.searchActive(query))).toEqual(['one']);
  });

  it('finds the same after another registry with more tools was asked, and after a larger query', () => {
    const small = new ToolRegistry();
    small.register([tool('read_zebra'), tool('paint_zebra')]);
    const large = new ToolRegistry();
    large.register(Array.from({ length: 50 }, (_, index) => tool(`zebra_giraffe_${index}`)));
    const before = small.searchHits('zebra or paint').map(({ tool: { name } }) => name);
    expect(large.searchActive('zebra, giraffe; paint')).toHaveLength(50);
    expect(small.searchHits('zebra or paint').map(({ tool: { name } }) => name)).toEqual(before);
    expect(names(small.searchActive('giraffe'))).toEqual([]);
  });
});
