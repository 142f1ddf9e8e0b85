import {
  type CallDecision,
  type CallDecisionKind,
  currentEffect,
  type HoldfastOptions,
  HoldfastToolNode,
  holdfastMiddleware,
  holdfastModelCall,
  RunIdMissingError,
  type ToolEffect,
  toToolDefinition,
} from '@holdfast/langchain';
import type { EffectContext, ReceiptStore, ToolCallReceiptKey } from '@holdfast/receipts';
import type { ToolOutputReferenceRegistry } from '@holdfast/tool-refs';
import { type ToolDefinition, ToolRegistry } from '@holdfast/tool-registry';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { ToolNode } from '@langchain/langgraph/prebuilt';
import { type AgentMiddleware, createAgent, fakeModel, tool } from 'langchain';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

declare const store: ReceiptStore;
declare const registry: ToolOutputReferenceRegistry;

test('options', () => {
  expectTypeOf<HoldfastOptions>().toMatchTypeOf<object>();
  const options: HoldfastOptions = {
    references: { registry, unresolved: 'refuse' },
    receipts: { store, tenantId: ({ configurable }) => String(configurable?.['tenant']), effects: { send: 'opaque' } },
    tools: { registry: new ToolRegistry(), search: { limit: 3 }, context: () => ({ allowedTools: [] }) },
    replies: false,
    onDecision: (decision) => expectTypeOf(decision).toEqualTypeOf<CallDecision>(),
  };
  expectTypeOf(holdfastMiddleware(options)).toExtend<AgentMiddleware>();
  expectTypeOf<ToolEffect>().toEqualTypeOf<'opaque' | 'resumable' | 'none'>();
  // @ts-expect-error an effect is one of three words
  holdfastMiddleware({ receipts: { store, tenantId: 't', effects: { send: 'once' } } });
  // @ts-expect-error a receipt needs a tenant
  holdfastMiddleware({ receipts: { store } });
  // @ts-expect-error references need a registry
  holdfastMiddleware({ references: {} });
});

test('createAgent takes the middleware', () => {
  const agent = createAgent({ model: fakeModel(), tools: [], middleware: [holdfastMiddleware({})] });
  expectTypeOf(agent.invoke).toBeFunction();
});

test('decisions', () => {
  expectTypeOf<CallDecision['decision']>().toEqualTypeOf<CallDecisionKind>();
  expectTypeOf<CallDecision['key']>().toEqualTypeOf<ToolCallReceiptKey | undefined>();
  // @ts-expect-error decisions are read only
  (decision: CallDecision) => (decision.toolName = 'x');
});

test('what a tool may ask', () => {
  expectTypeOf(currentEffect).returns.toEqualTypeOf<EffectContext | undefined>();
  const send = tool(async () => 'sent', { name: 'send', description: 'd', schema: z.object({ to: z.string() }) });
  expectTypeOf(toToolDefinition(send)).toEqualTypeOf<ToolDefinition>();
  toToolDefinition(send, { effect: 'opaque', searchTerms: ['mail'] });
  // @ts-expect-error the tool has its own name
  toToolDefinition(send, { name: 'other' });
});

test('plain graphs', () => {
  expectTypeOf(new HoldfastToolNode([], {})).toExtend<ToolNode>();
  expectTypeOf(holdfastModelCall).parameters.toExtend<
    [HoldfastOptions, BaseMessage[], object, (m: BaseMessage[]) => Promise<AIMessage>]
  >();
  const code: 'ERR_HOLDFAST_RUN_ID_MISSING' = new RunIdMissingError().code;
  expectTypeOf(code).toBeString();
});
