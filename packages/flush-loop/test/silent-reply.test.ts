import { couldBecomeSilent, isSilentReply, SILENT_REPLY_TOKEN, stripSilentToken } from '@holdfast/flush-loop';
import { describe, expect, it } from 'vitest';

describe('isSilentReply', () => {
  it('has a token that hosts store and prompts name', () => {
    expect(SILENT_REPLY_TOKEN).toBe('NO_REPLY');
  });

  it.each([
    'NO_REPLY',
    'No_Reply',
    'no_reply',
    '  NO_REPLY\n',
    'NO_REPLY\n\nNO_REPLY',
    'NO_REPLYNO_REPLY',
    '.NO_REPLY',
    'NO_REPLY.',
    '*NO_REPLY*',
    '**NO_REPLY**',
    '_NO_REPLY_',
    '`NO_REPLY`',
    '```\nNO_REPLY\n```',
    '"NO_REPLY"',
    '„NO_REPLY“',
    '「NO_REPLY」。',
    '> NO_REPLY',
    '# NO_REPLY',
    '\u200bNO_REPLY\ufeff',
    '\u00a0NO_REPLY\u2003',
  ])('%j is silent', (text) => {
    expect(isSilentReply(text)).toBe(true);
  });

  it.each([
    '',
    '   ',
    '...',
    'NO',
    'NO_',
    'NO_REPL',
    'NO REPLY',
    'NO-REPLY',
    'NO_REPLY_2',
    'NO_REPLYING',
    'MY_NO_REPLY',
    'éNO_REPLY',
    'NO_REPLY\u0301',
    'не NO_REPLY',
    '请NO_REPLY',
    'The token is NO_REPLY.',
    'Saved two notes.\n\nNO_REPLY',
    '{"action":"NO_REPLY"}',
    '{"action":"NO_REPLY","text":"hi"}',
    'NO_REPLY 😀',
    'NO_REPLY \ud83d',
    'NO_\ud83d',
    'ＮＯ＿ＲＥＰＬＹ',
  ])('%j is not silent', (text) => {
    expect(isSilentReply(text)).toBe(false);
  });
});

describe('couldBecomeSilent', () => {
  it('holds the token back piece by piece', () => {
    const pieces = ['NO', '_RE', 'PLY'];
    const prefixes = pieces.map((_, n) => pieces.slice(0, n + 1).join(''));
    expect(prefixes.map(couldBecomeSilent)).toEqual([true, true, true]);
    expect(couldBecomeSilent('')).toBe(true);
  });

  it.each(['NOT', 'NO ', 'Saved', 'NO_REPLY, but', 'N_', '1', 'NO_REPLY é'])('lets %j through', (prefix) => {
    expect(couldBecomeSilent(prefix)).toBe(false);
  });

  it('waits for the other half of a pair', () => {
    const punctuation = '\u{10100}';
    expect(isSilentReply(`NO_REPLY${punctuation}`)).toBe(true);
    expect(couldBecomeSilent(`NO_REPLY${punctuation[0]}`)).toBe(true);
    expect(couldBecomeSilent('NO_REPLY\ud83d\ude00')).toBe(false);
    expect(couldBecomeSilent('NO_REPLY\ud83d.')).toBe(false);
  });
});

describe('stripSilentToken', () => {
  it.each([
    ['Saved two notes.\n\nNO_REPLY', 'Saved two notes.'],
    ['Saved.\r\n\r\nNO_REPLY\r\n', 'Saved.'],
    ['NO_REPLY\n\n  indented', '  indented'],
    ['NO_REPLY\nSaved.\n**no_reply**\n\nNO_REPLY', 'Saved.'],
    ['  NO_REPLY\n', ''],
  ])('%j becomes %j', (text, stripped) => {
    expect(stripSilentToken(text)).toBe(stripped);
  });

  it.each([
    '',
    'The token is NO_REPLY.',
    'Saved. NO_REPLY',
    'One.\nNO_REPLY\nTwo.',
    '\n\nSaved.  \n\n',
    'Use it:\n```\nNO_REPLY\n```',
  ])('%j stays as it is', (text) => {
    expect(stripSilentToken(text)).toBe(text);
  });
});
