/** `@holdfast/flush-loop/memory-files`: memory in Markdown files, for Node. */

export { openFlushMarkerFiles } from './memory-files/flush-marker-files.js';
export { memoryFileTools } from './memory-files/memory-file-tools.js';
export {
  type AppendOutcome,
  type ListOutcome,
  type MemoryFiles,
  type MemoryFilesOptions,
  type MemoryRefusal,
  openMemoryFiles,
  type ReadOutcome,
} from './memory-files/memory-files.js';
export { MemoryFilesError } from './memory-files/memory-files-error.js';
