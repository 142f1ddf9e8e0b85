/** The grammar of a JSON number, one character at a time. */

/** What was read last: `zero`, `integer`, `fraction` and `power` may end a number, the others may not. */
export type NumberState = 'minus' | 'zero' | 'integer' | 'point' | 'fraction' | 'exponent' | 'sign' | 'power';

/** The state behind a number's first character, or `undefined` when no number starts with it. */
export function firstNumberState(unit: number): NumberState | undefined {
  if (unit === 0x2d) return 'minus';
  if (unit === 0x30) return 'zero';
  return isDigit(unit) ? 'integer' : undefined;
}

/** The state behind one more character, or `undefined` when the character cannot stand there. */
export function nextNumberState(state: NumberState, unit: number): NumberState | undefined {
  switch (state) {
    case 'minus':
      return unit === 0x30 ? 'zero' : isDigit(unit) ? 'integer' : undefined;
    case 'integer':
      return isDigit(unit) ? 'integer' : pointOrExponent(unit);
    case 'zero':
      return pointOrExponent(unit);
    case 'point':
      return isDigit(unit) ? 'fraction' : undefined;
    case 'fraction':
      return isDigit(unit) ? 'fraction' : isExponent(unit) ? 'exponent' : undefined;
    case 'exponent':
      return isDigit(unit) ? 'power' : unit === 0x2b || unit === 0x2d ? 'sign' : undefined;
    case 'sign':
    case 'power':
      return isDigit(unit) ? 'power' : undefined;
  }
}

/** Tells whether a number may end in this state. */
export function canEndNumber(state: NumberState): boolean {
  return state === 'zero' || state === 'integer' || state === 'fraction' || state === 'power';
}

function pointOrExponent(unit: number): NumberState | undefined {
  return unit === 0x2e ? 'point' : isExponent(unit) ? 'exponent' : undefined;
}

function isExponent(unit: number): boolean {
  return unit === 0x65 || unit === 0x45;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
