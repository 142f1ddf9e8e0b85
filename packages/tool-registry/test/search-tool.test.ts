import {
  createSearchTool,
  SEARCH_TOOL_NAME,
  type SearchToolData,
  type SearchToolOptions,
  type ToolContext,
  ToolRegistry,
} from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { names, thrownBy, tool, wireNames } from './support.js';

function searching(options: SearchToolOptions = {}): ToolRegistry {
  const registry = new ToolRegistry();
  registry.register(createSearchTool(registry, options));
  const subjects = ['send_mail', 'read_mail', 'move_mail', 'list_mail'];
  registry.register(
    subjects.map((name) => tool(name, { description: `Does ${name}. And more.` })),
    'deferred',
  );
  return registry;
}

const search = (registry: ToolRegistry, query: unknown, context: ToolContext = {}) =>
  registry.execute(SEARCH_TOOL_NAME, { query }, context);

describe('search_tools', () => {
  it('loads the best matches and names the next ones', async () => {
    const registry = searching({ limit: 2, nearMisses: 1 });
    const result = await search(registry, 'mail');
    const data = {
      loaded: [
        { name: 'list_mail', hint: 'Does list_mail.' },
        { name: 'move_mail', hint: 'Does move_mail.' },
      ],
      alreadyLoaded: [],
      notLoaded: [{ name: 'read_mail', hint: 'Does read_mail.' }],
    };
    expect(result).toEqual({ success: true, output: JSON.stringify(data), data });
    expect(wireNames(registry.toLLMTools())).toEqual(['search_tools', 'move_mail', 'list_mail']);
  });

  it('says what was loaded before', async () => {
    const registry = searching({ limit: 2 });
    await search(registry, 'mail');
    expect((await search(registry, 'mail')).data).toMatchObject({
      loaded: [{ name: 'read_mail' }, { name: 'send_mail' }],
      alreadyLoaded: [{ name: 'list_mail' }, { name: 'move_mail' }],
      notLoaded: [],
    });
  });

  it('loads one tool for its full name, and takes a single word for a topic', async () => {
    const registry = searching();
    expect((await search(registry, ' send_mail ')).data).toMatchObject({
      loaded: [{ name: 'send_mail' }],
      notLoaded: [{ name: 'list_mail' }, { name: 'move_mail' }, { name: 'read_mail' }],
    });
    const other = searching();
    other.register(tool('mail'), 'deferred');
    expect((await search(other, 'mail')).data).toMatchObject({
      loaded: [{ name: 'mail' }, { name: 'list_mail' }, {}, {}, {}],
    });
  });

  it('loads five and names five unless told otherwise', async () => {
    const registry = searching();
    registry.register(
      Array.from({ length: 9 }, (_, index) => tool(`mail_${index}`)),
      'deferred',
    );
    const { loaded, notLoaded } = (await search(registry, 'mail')).data as { loaded: []; notLoaded: [] };
    expect([loaded.length, notLoaded.length]).toEqual([5, 5]);
  });

  it('neither shows nor loads what the caller may not use, nor itself', async () => {
    const registry = searching();
    const result = await search(registry, 'mail search tools', { allowedTools: ['search_tools', 'send_mail'] });
    expect(result.data).toMatchObject({
      loaded: [{ name: 'send_mail', hint: 'Does send_mail.' }],
      alreadyLoaded: [],
      notLoaded: [],
    });
    expect(names(registry.getCallableTools())).toEqual(['search_tools', 'send_mail']);
  });

  it('never shows or wakes suspended tools', async () => {
    const registry = searching();
    registry.activate(['send_mail']);
    registry.suspendAll();
    registry.activate(['search_tools']);
    expect((await search(registry, 'send mail')).output).not.toContain('send_mail');
    expect(registry.getAvailability('send_mail')).toBe('suspended');
  });

  it('answers with nothing when nothing matches', async () => {
    expect((await search(searching(), 'zzzzzz')).data).toEqual({
      loaded: [],
      alreadyLoaded: [],
      notLoaded: [],
      note: expect.stringMatching(/^No tool matches/),
    });
  });

  it('says when the best match is a weak one, and not when it is in doubt', async () => {
    expect((await search(searching(), 'mail')).data).not.toHaveProperty('note');
    expect((await search(searching(), 'mail carrier pigeon')).data).toMatchObject({
      loaded: [{ name: 'list_mail' }, {}, {}, {}],
      note: expect.stringMatching(/^Weak match/),
    });
  });

  it('loads exactly the tools that are selected by name, in any spelling, beyond the limit too', async () => {
    const registry = searching({ limit: 1 });
    const result = await search(registry, 'select:move_mail, ReadMail,move_mail');
    const data = { loaded: [{ name: 'move_mail' }, { name: 'read_mail' }], alreadyLoaded: [], notLoaded: [] };
    expect(result.data).toMatchObject(data);
    expect(result.data).not.toHaveProperty('note');
    expect((await search(registry, 'select:move_mail,send_mail')).data).toMatchObject({
      loaded: [{ name: 'send_mail' }],
      alreadyLoaded: [{ name: 'move_mail' }],
      notLoaded: [],
    });
  });

  it('says which selected names nobody has, what they may have meant, and nothing of a forbidden tool', async () => {
    const registry = searching({ nearMisses: 1 });
    const context = { allowedTools: ['search_tools', 'send_mail', 'list_mail'] };
    const result = await search(registry, 'select:send_mails,read_mail,list_mail', context);
    expect(result.data).toEqual({
      loaded: [{ name: 'list_mail', hint: 'Does list_mail.' }],
      alreadyLoaded: [],
      notLoaded: [{ name: 'send_mail', hint: 'Does send_mail.' }],
      note: 'No tool is named "send_mails", "read_mail".',
    });
  });

  it('reads no selected name halfway, and says how many it did not read', async () => {
    const registry = searching();
    const long = Array.from(
      { length: 40 },
      (_, index) => `mcp__a_server__a_tool_with_a_rather_long_name_number_${index}`,
    );
    const tools = long.map((name) => tool(name));
    registry.register([...tools, tool('mcp__a_server__a_tool_with_a_rather_long_name_num')], 'deferred');
    const thirty = await search(registry, `select:${long.slice(0, 32).join(',')}`);
    expect(names((thirty.data as SearchToolData).loaded)).toEqual(long.slice(0, 32));
    expect(thirty.data).not.toHaveProperty('note');
    const forty = await search(searching(), ` select: ${long.join(' ,')}`);
    expect(forty.data).toMatchObject({
      note: expect.stringMatching(/Only the first 32 names were read, 8 more were not\.$/),
    });
    expect((await search(registry, 'select: ,')).data).toMatchObject({
      loaded: [],
      note: expect.stringContaining('No name'),
    });
  });

  it('selects the tool that the caller may see, where another one is called the same', async () => {
    const called = ['mcp__a__get_issue', 'mcp__b__get_issue', 'mcp__c__get_issue'];
    const registry = searching();
    registry.register(
      called.map((name) => tool(name)),
      'deferred',
    );
    const selecting = { allowedTools: called.slice(1) };
    expect(registry.searchHits('select:get_issue', selecting).map((hit) => hit.tool.name)).toEqual([called[1]]);
    registry.restoreAvailability({
      version: 1,
      tools: [
        ['mcp__a__get_issue', 'suspended'],
        ['mcp__b__get_issue', 'active'],
      ],
    });
    expect(names(registry.searchDeferred('select:get_issue'))).toEqual([called[2]]);
    expect(names(registry.searchActive('select:get_issue'))).toEqual([called[1]]);
    const context = { allowedTools: ['search_tools', 'mcp__c__get_issue'] };
    expect((await search(registry, 'select:get_issue', context)).data).toMatchObject({ loaded: [{ name: called[2] }] });
  });

  it('fuses the order of the host with its own, among the tools that the caller may see', async () => {
    const asked: unknown[] = [];
    const registry = searching({
      limit: 2,
      rank: async (query, tools) => {
        asked.push([query, names(tools)]);
        return ['send_mail', 'read_mail', 'nobody'];
      },
    });
    const context = { allowedTools: ['search_tools', 'send_mail', 'list_mail', 'move_mail'] };
    expect((await search(registry, 'mail', context)).data).toMatchObject({
      loaded: [{ name: 'send_mail' }, { name: 'list_mail' }],
      notLoaded: [{ name: 'move_mail' }],
    });
    expect(asked).toEqual([['mail', ['send_mail', 'move_mail', 'list_mail']]]);
    await search(registry, 'select:move_mail', context);
    expect(asked).toHaveLength(1);
  });

  it('finds by the order of the host what no word finds, and fails when the host does', async () => {
    const registry = searching({ rank: () => ['read_mail'] });
    const result = await search(registry, 'zzzzzz');
    expect(result.data).toEqual({
      loaded: [{ name: 'read_mail', hint: 'Does read_mail.' }],
      alreadyLoaded: [],
      notLoaded: [],
    });
    const failing = searching({ rank: () => Promise.reject(new Error('no embedder')) });
    expect(await search(failing, 'mail')).toMatchObject({
      success: false,
      code: 'tool_error',
      output: expect.stringContaining('no embedder'),
    });
  });

  it('works in the registry that runs it: in a fork, the fork', async () => {
    const registry = searching();
    const fork = registry.fork();
    await search(fork, 'send_mail');
    expect(fork.getAvailability('send_mail')).toBe('active');
    expect(registry.getAvailability('send_mail')).toBe('deferred');
  });

  it('works in its own registry when it is called by hand', async () => {
    const registry = searching();
    const definition = createSearchTool(registry);
    await definition.execute({ query: 'send_mail' }, {}, undefined as never);
    expect(registry.getAvailability('send_mail')).toBe('active');
  });

  it('stays active in a deferred list, and runs in plan mode', async () => {
    const registry = new ToolRegistry();
    registry.register([createSearchTool(registry), tool('a_b')], 'deferred');
    expect(registry.getAvailability(SEARCH_TOOL_NAME)).toBe('active');
    expect(await search(registry, 'a_b', { permissionContext: { mode: 'plan' } })).toMatchObject({ success: true });
  });

  it.each([undefined, 1, '', '  ', ['mail']])('refuses the query %j', async (query) => {
    expect(await search(searching(), query)).toMatchObject({ success: false, code: 'invalid_input' });
  });

  it('shows a schema with the query and no more', () => {
    const [wire] = searching().toLLMTools();
    expect(wire?.function.parameters).toEqual({
      type: 'object',
      properties: { query: { type: 'string', description: expect.any(String) } },
      required: ['query'],
      additionalProperties: false,
    });
  });

  it.each([
    { limit: 0 },
    { limit: 1.5 },
    { limit: 101 },
    { nearMisses: -1 },
    { nearMisses: Number.NaN },
    { rank: 1 as never },
  ])('refuses %j', (options) => {
    expect(thrownBy(() => createSearchTool(new ToolRegistry(), options))['code']).toBe(
      'ERR_HOLDFAST_TOOL_REGISTRY_OPTION',
    );
  });
});
