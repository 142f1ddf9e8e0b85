// A worker of the tests: it does what its settings say and reports what they list.
const { settings, standAt } = JSON.parse(process.argv[2]);
for (const report of Object.keys(standAt).length > 0 ? settings.first : settings.second) process.send(report);
if (settings.exitCode !== undefined) process.exit(settings.exitCode);
process.once('message', () => process.disconnect());
