const host = globalThis.__k6RunnerHost;
const execution = host.execution();

function attempt(call) {
  try {
    return call();
  } catch (error) {
    throw new Error(host.messageOf(error));
  }
}

function getters(definitions) {
  const object = {};
  for (const [name, get] of Object.entries(definitions)) {
    Object.defineProperty(object, name, { get: () => attempt(get), enumerable: true });
  }
  return object;
}

const tags = new Proxy(
  {},
  {
    get: (target, name) => {
      const value = execution.tag(String(name));
      return value === null ? undefined : value;
    },
    set: (target, name, value) => {
      if (!['string', 'number', 'boolean'].includes(typeof value)) {
        throw new TypeError(
          `invalid value for metric tag '${String(name)}': ` +
            'only String, Boolean and Number types are accepted as a metric tag values',
        );
      }
      execution.setTag(String(name), String(value));
      return true;
    },
    has: (target, name) => execution.tag(String(name)) !== null,
    deleteProperty: (target, name) => {
      execution.removeTag(String(name));
      return true;
    },
    ownKeys: () => Array.from(execution.tagNames()),
    getOwnPropertyDescriptor: (target, name) => ({
      value: execution.tag(String(name)),
      enumerable: true,
      configurable: true,
    }),
  },
);

export const vu = getters({
  idInInstance: () => execution.vuId(),
  idInTest: () => execution.vuId(),
  iterationInInstance: () => execution.vuIteration(),
  iterationInScenario: () => execution.vuIterationInScenario(),
});
Object.defineProperty(vu, 'tags', { value: tags, enumerable: true });
Object.defineProperty(vu, 'metrics', { value: { tags }, enumerable: true });

export const scenario = getters({
  name: () => execution.scenarioName(),
  executor: () => execution.scenarioExecutor(),
  startTime: () => execution.scenarioStartTime(),
  progress: () => execution.scenarioProgress(),
  iterationInInstance: () => execution.iterationInTest(),
  iterationInTest: () => execution.iterationInTest(),
});

export const instance = getters({
  currentTestRunDuration: () => execution.testRunDuration(),
  iterationsCompleted: () => execution.iterationsCompleted(),
  iterationsInterrupted: () => execution.iterationsInterrupted(),
  vusActive: () => execution.vusActive(),
  vusInitialized: () => execution.vusInitialized(),
});

let options;
export const test = getters({
  options: () => {
    if (options === undefined) {
      options = Object.freeze(JSON.parse(execution.options()));
    }
    return options;
  },
});
Object.defineProperty(test, 'abort', {
  value: (message) => attempt(() => execution.abort(message === undefined || message === null ? '' : String(message))),
  enumerable: true,
});
Object.defineProperty(test, 'fail', {
  value: (message) => attempt(() => execution.fail(message === undefined || message === null ? '' : String(message))),
  enumerable: true,
});

export default { vu, scenario, instance, test };
