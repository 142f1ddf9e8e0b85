/** Tools that the job does not need. They keep the search honest. */
import type { ToolDefinition } from 'holdfast';
import { z } from 'zod';

export const officeTools: ToolDefinition[] = [
  office(
    'schedule_meeting',
    'Puts a meeting into the calendars of a team.',
    z.object({ title: z.string(), at: z.string() }),
  ),
  office(
    'create_invoice',
    'Creates an invoice for a customer.',
    z.object({ customer: z.string(), cents: z.number().int() }),
  ),
  office('book_room', 'Books a room for a number of people.', z.object({ people: z.number().int(), at: z.string() })),
  office('translate_text', 'Translates a text into another language.', z.object({ text: z.string(), to: z.string() })),
];

function office(name: string, description: string, inputSchema: z.ZodObject): ToolDefinition {
  return {
    name,
    description,
    inputSchema,
    execute: () => ({ success: false, output: '', error: 'This office is closed.' }),
  };
}
