/** What tools are called with, from an e-mail to a megabyte of rows, as JSON.parse gives it. */

const words =
  'account amount author branch city column comment country currency customer discount email file invoice item ledger line message note order path payment phone price quantity region review severity shipped status street tax';
const vocabulary = words.split(' ');
let state = 20_261_130;

/** A whole number below a bound, the same in every run (a linear congruential generator). */
function below(bound) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * bound);
}
const word = () => vocabulary[below(vocabulary.length)];
const sentence = (length) => Array.from({ length }, word).join(' ');

const email = {
  to: 'alice@example.com',
  subject: 'Re: invoice 4411',
  body: 'Hi Alice, please find it attached. Best, Bob',
  cc: ['bob@example.com'],
  urgent: false,
};
const typical = {
  query: 'open invoices over 10k',
  limit: 50,
  offset: 0,
  include_closed: false,
  sort: { field: 'due_date', direction: 'desc' },
  filters: {
    region: ['EMEA', 'APAC'],
    currency: 'EUR',
    min_amount: 10_000,
    max_amount: 250_000.5,
    tags: ['q3', 'priority'],
    owner: null,
    created: { from: '2026-01-01T00:00:00Z', to: '2026-06-30T23:59:59Z' },
  },
  output: { format: 'csv', columns: ['id', 'customer', 'amount', 'due_date'], header: true, delimiter: ';' },
  notify: {
    channel: 'email',
    address: 'finance@example.com',
    on: ['success', 'failure'],
    retry: { attempts: 3, backoff_ms: 1_500 },
  },
  dry_run: true,
  request_note: 'Line one\nLine "two" with quotes',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
};
const line = () => `export const ${word()}${word()} = <div className="${word()}">{props.${word()}}</div>;\n`;
const source = Array.from({ length: 1_200 }, line).join('').slice(0, 65_536);
const rows = Array.from({ length: 10_000 }, (_, id) => ({
  id,
  name: sentence(2),
  amount: below(1e8) / 100,
  active: below(2) === 1,
  note: sentence(4),
}));
const wide = Object.fromEntries(
  Array.from({ length: 10_000 }, (_, index) => [
    `${word()}_${below(1e9).toString(36)}`,
    index % 3 === 0 ? word() : index,
  ]),
);
let deep = { leaf: true, a: 1 };
for (let level = 0; level < 499; level++) deep = { level, child: deep, kind: 'node' };
const nested = {
  items: Array.from({ length: 300 }, (_, index) => ({
    id: `item_${index}`,
    meta: { tags: [word(), word()], score: below(1e6) / 1e6, geo: { lat: below(9e6) / 1e5, lon: below(18e6) / 1e5 } },
    label: sentence(3),
    ok: true,
  })),
};
const document = { path: 'src/App.tsx', content: source, mode: 'overwrite', action: 'write' };

/** Rebuilds objects with their keys in another order: by a rank for each key. */
function reordered(value, rank) {
  if (Array.isArray(value)) return value.map((member) => reordered(member, rank));
  if (typeof value !== 'object' || value === null) return value;
  const ranked = Object.entries(value).map(([key, member]) => [rank(key), key, reordered(member, rank)]);
  ranked.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(ranked.map(([, key, member]) => [key, member]));
}
const parsed = (value) => JSON.parse(JSON.stringify(value));
const sorted = (value) => parsed(reordered(value, (key) => key));

export const inputs = {
  'small bag, 5 keys': parsed(email),
  'small bag, sorted': sorted(email),
  'typical, 30 keys': parsed(typical),
  'typical, sorted': sorted(typical),
  'a 64 KB document': parsed(document),
  '300 nested objects': parsed(nested),
  '10,000 objects': parsed(rows),
  '10,000 objects, sorted': sorted(rows),
  '10,000 objects, shuffled': parsed(reordered(rows, () => below(1e9))),
  '10,000 keys': parsed(wide),
  '10,000 keys, sorted': sorted(wide),
  '500 levels': parsed(deep),
};
