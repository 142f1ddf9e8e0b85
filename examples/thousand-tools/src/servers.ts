/** The servers of this example: which package, and what it needs to start. Nothing here is a real credential. */

/** A server that runs over stdio. `$FOLDER` in arguments and environment becomes the run's own folder. */
export interface ServerSpec {
  /** The server's name here, and in the names of its tools. */
  readonly server: string;
  /** An npm package with one command. */
  readonly package: string;
  readonly args?: readonly string[];
  /** All it gets beside `PATH` and what else the SDK hands on: the host's own keys are not for strangers. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Servers refuse to start without a key, and list their tools with any. */
const NO_KEY = 'none';
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';

/** In this order on the wire, however fast they start. */
export const SERVERS: readonly ServerSpec[] = [
  { server: 'everything', package: '@modelcontextprotocol/server-everything' },
  {
    server: 'memory',
    package: '@modelcontextprotocol/server-memory',
    env: { MEMORY_FILE_PATH: '$FOLDER/memory.jsonl' },
  },
  { server: 'files', package: '@modelcontextprotocol/server-filesystem', args: ['$FOLDER'] },
  {
    server: 'github',
    package: '@modelcontextprotocol/server-github',
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: NO_KEY },
  },
  { server: 'recipes', package: 'recipe-mcp' },
  { server: 'charts', package: '@antv/mcp-server-chart' },
  { server: 'airtable', package: 'airtable-mcp-server', env: { AIRTABLE_API_KEY: NO_KEY } },
  { server: 'notion', package: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: NO_KEY } },
  {
    server: 'argocd',
    package: 'argocd-mcp',
    args: ['stdio'],
    env: { ARGOCD_BASE_URL: NOWHERE, ARGOCD_API_TOKEN: NO_KEY },
  },
  { server: 'replicate', package: 'replicate-mcp', env: { REPLICATE_API_TOKEN: NO_KEY } },
  {
    server: 'xero',
    package: '@xeroapi/xero-mcp-server',
    env: { XERO_CLIENT_ID: NO_KEY, XERO_CLIENT_SECRET: NO_KEY },
  },
  {
    server: 'metabase',
    package: '@easecloudio/mcp-metabase-server',
    env: { METABASE_URL: NOWHERE, METABASE_API_KEY: NO_KEY },
  },
  { server: 'linear', package: '@tacticlaunch/mcp-linear', env: { LINEAR_API_TOKEN: NO_KEY } },
  {
    server: 'ebay',
    package: 'ebay-mcp',
    env: { EBAY_CLIENT_ID: NO_KEY, EBAY_CLIENT_SECRET: NO_KEY, EBAY_ENVIRONMENT: 'sandbox' },
  },
];
