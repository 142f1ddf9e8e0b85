/**
 * What is published differs from what we work with: no development dependencies (the inlined kernel is one),
 * no scripts, and no export condition that points at sources.
 */
function beforePacking(manifest) {
  const { devDependencies, scripts, ...published } = manifest;
  return { ...published, exports: withoutSource(published.exports) };
}

function withoutSource(value) {
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([condition]) => condition !== '@holdfast/source')
      .map(([condition, target]) => [condition, withoutSource(target)]),
  );
}

/**
 * The flush loop is tested with the OpenAI client of LangChain 0.3 beside that of 1.x. As a peer, the older core would
 * be the one that the package itself has; as a dependency it is the client's own.
 */
function readPackage(manifest) {
  if (manifest.name !== '@langchain/openai' || !manifest.version.startsWith('0.')) return manifest;
  const { '@langchain/core': _, ...peerDependencies } = manifest.peerDependencies;
  return { ...manifest, peerDependencies, dependencies: { ...manifest.dependencies, '@langchain/core': '0.3.80' } };
}

module.exports = { hooks: { beforePacking, readPackage } };
