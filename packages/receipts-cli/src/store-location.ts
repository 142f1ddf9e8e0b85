/** Where the receipts are, as the command line or the environment says it. */

import { usageError } from './exit.js';

/** One of the three stores. `name` is fit to be printed: it has no credentials. */
export interface StoreLocation {
  readonly kind: 'postgres' | 'redis' | 'sqlite';
  /** The URL, or the path of the file. */
  readonly address: string;
  readonly name: string;
  /** Texts that must not be printed. */
  readonly secrets: readonly string[];
}

const EXPECTED =
  'Name the store by --store or HOLDFAST_RECEIPTS_STORE: postgres://…, redis://…, rediss://…, sqlite:PATH or a path.';

export function parseLocation(given: string | undefined): StoreLocation {
  if (given === undefined || given === '') throw usageError(EXPECTED);
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(given)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'postgres':
    case 'postgresql':
      return serverLocation('postgres', given);
    case 'redis':
    case 'rediss':
      return serverLocation('redis', given);
    case 'sqlite':
      return fileLocation(given.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));
    case undefined:
      return fileLocation(given);
    default:
      throw usageError(`There is no store for ${scheme}: addresses. ${EXPECTED}`);
  }
}

/** Hides the secrets of a location in a text, as they were written and as they are. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text);
}

function serverLocation(kind: 'postgres' | 'redis', address: string): StoreLocation {
  const { protocol, host, pathname, password, searchParams } = urlOf(address);
  // The driver takes what is no number for database 0, or ends the process.
  if (kind === 'redis' && !/^\/?\d* \d*$/.test(`${pathname} ${searchParams.get('db') ?? ''}`)) {
    throw usageError('The path of a Redis address is the number of a database, or nothing.');
  }
  const secrets = [password, safelyDecoded(password), searchParams.get('password') ?? ''].filter((each) => each !== '');
  return { kind, address, name: `${protocol}//${host}${pathname}`, secrets };
}

/** Without its slashes, or with an @ in its path, an address has its password where none is looked for. */
function urlOf(address: string): URL {
  try {
    const url = new URL(address);
    if (/^\w+:\/\//.test(address) && !url.pathname.includes('@')) return url;
  } catch {
    // Falls through to the refusal, which does not repeat the address.
  }
  throw usageError('The address of the store is not a URL. Write special characters of a password as %XX.');
}

function fileLocation(path: string): StoreLocation {
  if (path === '' || path === ':memory:') throw usageError(`A SQLite store is a file. ${EXPECTED}`);
  return { kind: 'sqlite', address: path, name: `sqlite:${path}`, secrets: [] };
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
