/** The wiring of the README, with the real OpenTelemetry SDK. */

import { ToolRegistry } from '@holdfast/tool-registry';
import { SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import { tool } from './support.js';

it('gives spans as the conventions for GenAI describe them', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer('test');
  const registry = new ToolRegistry({
    telemetry: {
      startCall({ name, attributes, toolUseId }) {
        const span = tracer.startSpan(name, { attributes });
        if (toolUseId !== undefined) span.setAttribute('gen_ai.tool.call.id', toolUseId);
        return {
          end: ({ attributes: last, success }) => {
            span.setAttributes(last);
            if (!success) span.setStatus({ code: SpanStatusCode.ERROR });
            span.end();
          },
        };
      },
    },
  });
  registry.register(tool('send'));
  await registry.execute('send', {}, { toolUseId: 'call-1' });
  await registry.execute('made up by a model', {}, {});
  expect(exporter.getFinishedSpans().map(({ name, attributes, status }) => ({ name, attributes, ...status }))).toEqual([
    {
      name: 'execute_tool send',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.name': 'send',
        'gen_ai.tool.call.id': 'call-1',
      },
      code: SpanStatusCode.UNSET,
    },
    {
      name: 'execute_tool',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.type': 'function',
        'error.type': 'unknown_tool',
      },
      code: SpanStatusCode.ERROR,
    },
  ]);
});
