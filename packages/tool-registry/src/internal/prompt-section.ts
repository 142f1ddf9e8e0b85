/** The prompt's section about tools: names, one-line hints, nothing that is on the wire anyway. */

import { toolDiscoveryHint } from '../tool-discovery-hint.js';
import { SEARCH_TOOL_NAME, type ToolState } from './tool-state.js';

const RUNTIME_CONTRACT = [
  '<tool_runtime_contract>',
  'Tools are called through the tool interface of this conversation. Names, descriptions and input schemas that are',
  'attached there are the ones that count; the lists below only say what exists.',
  '</tool_runtime_contract>',
].join('\n');

/** Empty when there is neither an active nor a deferred tool. */
export function promptSection(active: readonly ToolState[], deferred: readonly ToolState[]): string {
  if (active.length === 0 && deferred.length === 0) return '';
  const parts = [RUNTIME_CONTRACT];
  if (active.length > 0) {
    const names = active.map(({ tool }) => `- ${tool.name}`);
    parts.push(['<available_tools>', ...names, '</available_tools>'].join('\n'));
  }
  if (deferred.length > 0) {
    const searchable = active.some(({ tool }) => tool.name === SEARCH_TOOL_NAME);
    parts.push(
      [deferredIntro(searchable), '<deferred_tools>', ...deferred.map(hintLine), '</deferred_tools>'].join('\n'),
    );
  }
  return parts.join('\n\n');
}

function deferredIntro(searchable: boolean): string {
  const exist = 'The tools below exist and are not loaded: they cannot be called yet.';
  return searchable ? `${exist} To load the ones that you need, call ${SEARCH_TOOL_NAME}.` : exist;
}

function hintLine({ tool }: ToolState): string {
  const hint = escapeMarkup(toolDiscoveryHint(tool.definition.description));
  return hint === '' ? `- ${tool.name}` : `- ${tool.name}: ${hint}`;
}

/** A description comes from whoever offers the tool: it must not be able to close the list that it stands in. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
