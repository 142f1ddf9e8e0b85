/** Types that hosts rely on. Checked by the compiler, not run. */

import {
  assertToolName,
  defineTool,
  describeWithOutput,
  type LLMToolSchema,
  type ManagedRegistry,
  type PreparedToolExecution,
  type ToolAvailability,
  type ToolContext,
  type ToolDefinition,
  type ToolExecutionResult,
  type ToolInputSchema,
  ToolNameCollisionError,
  type ToolPreparationResult,
  ToolRegistry,
  type ToolRegistryForkOptions,
  toolDiscoveryHint,
} from '@holdfast/tool-registry';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

interface HostContext extends ToolContext {
  readonly user: string;
}

const typed = defineTool({
  name: 'a',
  description: 'd',
  inputSchema: z.object({ n: z.string().transform(Number), o: z.boolean().optional() }),
  execute(input, context: HostContext) {
    expectTypeOf(input).toEqualTypeOf<{ n: number; o?: boolean | undefined }>();
    expectTypeOf(context.user).toBeString();
    return { success: true, output: '' };
  },
});
expectTypeOf(typed).toEqualTypeOf<ToolDefinition<{ n: number; o?: boolean | undefined }, HostContext>>();

const registry = new ToolRegistry();
expectTypeOf(registry).toExtend<ManagedRegistry<ToolDefinition>>();
registry.register(typed);
registry.register('a', typed);
registry.register([typed, typed], 'deferred');
// @ts-expect-error: not a state
registry.register(typed, 'asleep');
// @ts-expect-error: a definition needs a handler
registry.register({ name: 'a', description: 'd', inputSchema: z.object({}) });
// @ts-expect-error: plain JSON Schema cannot check an input
registry.register({ ...typed, inputSchema: { type: 'object' } });

expectTypeOf(z.object({ a: z.string() })).toExtend<ToolInputSchema<{ a: string }>>();
expectTypeOf<ToolAvailability>().toEqualTypeOf<'active' | 'deferred' | 'suspended'>();
expectTypeOf(registry.unregister).toEqualTypeOf<(id: string) => boolean>();
expectTypeOf(registry.clear).toEqualTypeOf<() => void>();
expectTypeOf(registry.activate).toEqualTypeOf<(names: string[]) => void>();
expectTypeOf(registry.defer).toEqualTypeOf<(names: string[]) => void>();
expectTypeOf(registry.suspendAll).toEqualTypeOf<() => void>();
expectTypeOf(registry.hasSuspended).toEqualTypeOf<() => boolean>();
expectTypeOf(registry.getAvailability).toEqualTypeOf<(name: string) => ToolAvailability>();
expectTypeOf(registry.searchDeferred).toEqualTypeOf<(query: string) => ToolDefinition[]>();
expectTypeOf(registry.searchActive).toEqualTypeOf<(query: string) => ToolDefinition[]>();
expectTypeOf(registry.assignTiers).toEqualTypeOf<(mapping: Record<string, string>) => void>();
expectTypeOf(registry.toTierGuidance).toEqualTypeOf<() => string | null>();
expectTypeOf(registry.listNames).toEqualTypeOf<() => string[]>();
expectTypeOf(registry.toPromptSection).toEqualTypeOf<(toolNames?: string[]) => string>();
expectTypeOf(registry.toLLMTools).toEqualTypeOf<(toolNames?: string[]) => LLMToolSchema[]>();
expectTypeOf(registry.getCallableTools).toEqualTypeOf<(toolNames?: string[]) => ToolDefinition[]>();
expectTypeOf(registry.fork).toEqualTypeOf<(options?: ToolRegistryForkOptions) => ToolRegistry>();
expectTypeOf(registry.prepareExecution).toExtend<(toolName: string, rawInput: unknown) => ToolPreparationResult>();
expectTypeOf(registry.executePrepared).toEqualTypeOf<
  (prepared: PreparedToolExecution, context: ToolContext) => Promise<ToolExecutionResult>
>();
expectTypeOf(registry.execute).toEqualTypeOf<
  (toolName: string, rawInput: unknown, context: ToolContext) => Promise<ToolExecutionResult>
>();
expectTypeOf<ToolRegistryForkOptions>().toEqualTypeOf<{ readonly deferExcept?: readonly string[] }>();
expectTypeOf<LLMToolSchema>().toEqualTypeOf<{
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    readonly strict?: true;
  };
}>();
expectTypeOf<Omit<ToolExecutionResult, 'code' | 'started'>>().toEqualTypeOf<{
  readonly success: boolean;
  readonly output: string;
  readonly error?: string | undefined;
  readonly data?: unknown;
  readonly content?: readonly unknown[] | undefined;
  readonly permissionDenied?: boolean | undefined;
  readonly retryable?: boolean | undefined;
}>();
expectTypeOf<PreparedToolExecution>().toEqualTypeOf<{ readonly toolName: string; readonly input: unknown }>();
expectTypeOf<ToolPreparationResult>().toEqualTypeOf<
  | { readonly success: true; readonly prepared: PreparedToolExecution }
  | { readonly success: false; readonly result: ToolExecutionResult }
>();
expectTypeOf<ToolContext['allowedTools']>().toEqualTypeOf<readonly string[] | undefined>();

expectTypeOf(assertToolName).toEqualTypeOf<(name: string) => void>();
expectTypeOf(ToolNameCollisionError).constructorParameters.toEqualTypeOf<[toolName: string, context: string]>();
expectTypeOf<ToolNameCollisionError['toolName']>().toEqualTypeOf<string>();
expectTypeOf(describeWithOutput).parameter(0).toEqualTypeOf<string>();
expectTypeOf<Record<string, unknown> | undefined>().toExtend<Parameters<typeof describeWithOutput>[1]>();
expectTypeOf(describeWithOutput).returns.toEqualTypeOf<string>();
expectTypeOf(toolDiscoveryHint).toEqualTypeOf<(description: string, maxLength?: number) => string>();

const abortSignal = new AbortController().signal;
void registry.execute('a', {}, { abortSignal, allowedTools: ['a'] });
declare const prepared: PreparedToolExecution;
// @ts-expect-error: frozen
prepared.input = 1;
