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

module.exports = { hooks: { beforePacking } };
