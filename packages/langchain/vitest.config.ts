import { mergeConfig } from 'vitest/config';
import { project } from '../../vitest.shared.js';

// Loading LangChain takes most of a test file's time, and no file changes what another one sees.
export default mergeConfig(project('langchain'), { test: { isolate: false } });
