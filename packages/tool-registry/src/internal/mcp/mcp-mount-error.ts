/** What goes wrong with a whole server; what is wrong with one tool is reported. */

import { HoldfastError } from '@holdfast/kernel';

/** A server that cannot be mounted, or a drift that cannot be approved any more. */
export class McpMountError extends HoldfastError {
  override readonly name = 'McpMountError';
  readonly code = 'ERR_HOLDFAST_MCP_MOUNT';
  /** The server's name, as the host gave it. */
  readonly server: string;
  /** What is wrong, without the sentence around it. */
  readonly reason: string;

  constructor(server: string, reason: string) {
    super(`MCP server ${JSON.stringify(server)} ${reason}. Nothing was changed.`);
    this.server = server;
    this.reason = reason;
  }
}
