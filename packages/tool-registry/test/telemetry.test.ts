import {
  type ToolCallEnd,
  type ToolCallStart,
  ToolRegistry,
  type ToolRegistryConfig,
  type ToolTelemetry,
} from '@holdfast/tool-registry';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool } from './support.js';

function recording() {
  const told: (ToolCallStart | ToolCallEnd)[] = [];
  const telemetry: ToolTelemetry = {
    startCall: (start) => {
      told.push(start);
      return { end: (end) => void told.push(end) };
    },
  };
  return { telemetry, told };
}

function registryWith(telemetry: ToolTelemetry, config: ToolRegistryConfig = {}) {
  const registry = new ToolRegistry({ telemetry, ...config });
  const inputSchema = z.object({ to: z.string() });
  const failing = () => ({ success: false, output: 'no' });
  const throwing = () => {
    throw new Error('down');
  };
  registry.register([
    tool('send', { inputSchema }),
    tool('fail', { execute: failing }),
    tool('throw', { execute: throwing }),
  ]);
  return registry;
}

const started = (name: string, toolUseId?: string) => ({
  name: `execute_tool ${name}`,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.name': name,
  },
  toolUseId,
});

describe('telemetry', () => {
  it('is told of a call that begins and of its end, in the names of OpenTelemetry', async () => {
    const { telemetry, told } = recording();
    const registry = registryWith(telemetry);
    await registry.execute('send', { to: 'a' }, { toolUseId: 'call-1' });
    expect(told).toEqual([started('send', 'call-1'), { attributes: {}, success: true, started: true }]);
  });

  it.each([
    ['send', {}, { attributes: { 'error.type': 'invalid_input' }, success: false, started: false }],
    ['fail', {}, { attributes: { 'error.type': 'tool_failure' }, success: false, started: true }],
    ['throw', {}, { attributes: { 'error.type': 'tool_error' }, success: false, started: true }],
  ])('says how a call of "%s" failed', async (name, input, end) => {
    const { telemetry, told } = recording();
    await registryWith(telemetry).execute(name, input, {});
    expect(told).toEqual([started(name), end]);
  });

  it('is refused when it cannot be told anything', () => {
    for (const telemetry of [{}, null, () => undefined]) {
      const making = () => new ToolRegistry({ telemetry: telemetry as never });
      expect(making).toThrow(expect.objectContaining({ code: 'ERR_HOLDFAST_TOOL_REGISTRY_OPTION' }));
    }
  });

  it('never has a name that a model made up among its attributes', async () => {
    const { telemetry, told } = recording();
    await registryWith(telemetry).execute('sned', {}, {});
    expect(told[0]).toEqual({
      name: 'execute_tool',
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.type': 'function' },
      toolUseId: undefined,
    });
    expect(told[1]).toMatchObject({ attributes: { 'error.type': 'unknown_tool' } });
  });

  it('is told of a refused preparation at once, and of a prepared call when it runs', async () => {
    const { telemetry, told } = recording();
    const registry = registryWith(telemetry);
    registry.prepareExecution('send', {}, { toolUseId: 'a' });
    await registry.prepareExecutionAsync('send', {}, { toolUseId: 'b' });
    const refused = { attributes: { 'error.type': 'invalid_input' }, success: false, started: false };
    expect(told).toEqual([started('send', 'a'), refused, started('send', 'b'), refused]);
    told.length = 0;
    const checked = registry.prepareExecution('send', { to: 'a' }, {});
    expect(told).toEqual([]);
    if (checked.success) await registry.executePrepared(checked.prepared, {});
    expect(told).toEqual([started('send'), { attributes: {}, success: true, started: true }]);
  });

  it('ends the span of an error that goes to the host', async () => {
    const { telemetry, told } = recording();
    await expect(registryWith(telemetry, { rethrow: () => true }).execute('throw', {}, {})).rejects.toThrow('down');
    expect(told[1]).toEqual({ attributes: { 'error.type': 'rethrown' }, success: false, started: true });
  });

  it('can run the call inside its span', async () => {
    const order: string[] = [];
    const registry = registryWith({
      startCall: () => ({
        run: (work) => {
          order.push('inside');
          const given = work();
          order.push('started');
          return given;
        },
        end: () => void order.push('end'),
      }),
    });
    const execute = () => {
      order.push('tool');
      return { success: true, output: '' };
    };
    registry.register(tool('trace', { execute }));
    await registry.execute('trace', {}, {});
    expect(order).toEqual(['inside', 'tool', 'started', 'end']);
  });

  it('that throws, forgets the call or repeats it changes no call and is logged', async () => {
    const throwing = () => {
      throw new Error('broken');
    };
    const ends = { end: () => undefined };
    const broken: [number, ToolTelemetry][] = [
      [1, { startCall: throwing }],
      [1, { startCall: () => ({ end: throwing }) }],
      [1, { startCall: () => ({ end: async () => throwing() }) }],
      [1, { startCall: async () => ({ end: () => undefined }) } as never],
      [1, { startCall: () => ({ run: throwing, ...ends }) }],
      [0, { startCall: () => ({ run: () => Promise.reject(new Error('lost')) as never, ...ends }) }],
      [0, { startCall: () => ({ run: () => undefined as never, ...ends }) }],
      [0, { startCall: () => ({ run: (work) => work() && work(), ...ends }) }],
    ];
    for (const [expected, telemetry] of broken) {
      let runs = 0;
      const warnings: string[] = [];
      const registry = registryWith(telemetry, { logger: { warn: (message) => void warnings.push(message) } });
      const execute = () => {
        runs += 1;
        return { success: true, output: 'done' };
      };
      registry.register(tool('count', { execute }));
      expect(await registry.execute('count', {}, {})).toMatchObject({ success: true, output: 'done' });
      expect([runs, warnings.length]).toEqual([1, expected]);
    }
  });
});
