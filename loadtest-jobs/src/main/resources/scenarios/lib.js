// What every scenario shares: its environment, the choice of a tenant, named calls whose content is checked, a guard
// that makes exceptions visible, and the summary that the operator reads.
//
// It keeps to what k6's engine has: no Intl, URL, fetch, structuredClone or Object.groupBy.
import http from 'k6/http';
import { check } from 'k6';
import { Counter } from 'k6/metrics';

// Kubernetes keeps this much of a termination message.
const SUMMARY_LIMIT_BYTES = 4096;
const CHECKS_IN_SUMMARY = 12;
const TENANTS_PER_BATCH = 20;
const ERRORS_LOGGED_PER_VU = 3;

// k6 counts an iteration that throws as a good one, so exceptions have a counter of their own.
const scriptErrors = new Counter('script_errors');
let guarded = false;
let errorsLogged = 0;

function text(name, fallback) {
  const value = __ENV[name];
  if (value !== undefined && value !== '') {
    return value;
  }
  if (fallback === undefined) {
    throw new Error(`environment variable ${name} is not set`);
  }
  return fallback;
}

function wholeNumber(name, fallback, least) {
  const given = text(name, String(fallback));
  const value = Number(given);
  if (!Number.isInteger(value) || value < least) {
    throw new Error(`environment variable ${name} must be a whole number of at least ${least}, but is "${given}"`);
  }
  return value;
}

// BASE_URL          where the identity provider answers, without a slash at the end
// TENANT            one tenant; or else
// TENANT_PREFIX     tenants are called <prefix>0, <prefix>1, ...
// TENANTS           how many there are (1)
// TENANT_INDEX      use only this one; unset: one at random per iteration
// CLIENT_ID, CLIENT_SECRET, SCOPE (optional)
// VUS (1), DURATION (10s), REQUEST_TIMEOUT (10s), SCENARIO (a name for the summary)
export const settings = {
  baseUrl: text('BASE_URL').replace(/\/+$/, ''),
  tenants: wholeNumber('TENANTS', 1, 1),
  vus: wholeNumber('VUS', 1, 1),
  duration: text('DURATION', '10s'),
  timeout: text('REQUEST_TIMEOUT', '10s'),
  scenario: text('SCENARIO', ''),
  summaryPath: text('SUMMARY_PATH', '/dev/termination-log'),
};

const fixedTenant = text('TENANT', '');
const tenantPrefix = fixedTenant === '' ? text('TENANT_PREFIX') : '';
const tenantIndex = text('TENANT_INDEX', '') === '' ? -1 : wholeNumber('TENANT_INDEX', 0, 0);
if (tenantIndex >= settings.tenants) {
  throw new Error(`TENANT_INDEX is ${tenantIndex}, but there are only ${settings.tenants} tenants, counted from 0`);
}

function tenantAt(index) {
  return fixedTenant === '' ? tenantPrefix + index : fixedTenant;
}

/** The tenant of this iteration. */
export function tenant() {
  return tenantAt(tenantIndex >= 0 ? tenantIndex : Math.floor(Math.random() * settings.tenants));
}

/** Options of a scenario: VUS virtual users that iterate without a pause for DURATION. */
export function constantVus() {
  return {
    vus: settings.vus,
    duration: settings.duration,
    // Setup tries each tenant, and the first call of one takes longest: its keys are not in any cache yet.
    setupTimeout: `${60 + Math.ceil(settings.tenants / 10)}s`,
    batch: TENANTS_PER_BATCH,
    batchPerHost: TENANTS_PER_BATCH,
    summaryTrendStats: ['avg', 'min', 'med', 'p(90)', 'p(95)', 'p(99)', 'max', 'count'],
  };
}

function params(name) {
  // Without a name tag every URL would be a time series of its own.
  return { tags: { name }, redirects: 0, timeout: settings.timeout };
}

/** Parses a response without throwing: what is no JSON object is an empty one. */
export function object(response) {
  try {
    const value = response.json();
    return value !== null && typeof value === 'object' ? value : {};
  } catch (error) {
    return {};
  }
}

// Requests as http.batch() takes them.
function discoveryRequest(tenantId) {
  return ['GET', `${settings.baseUrl}/${tenantId}/.well-known/openid-configuration`, null, params('discovery')];
}

function jwksRequest(tenantId) {
  return ['GET', `${settings.baseUrl}/${tenantId}/v1/jwks`, null, params('jwks')];
}

function tokenRequest(tenantId) {
  const form = {
    grant_type: 'client_credentials',
    client_id: text('CLIENT_ID'),
    client_secret: text('CLIENT_SECRET'),
  };
  const scope = text('SCOPE', '');
  if (scope !== '') {
    form.scope = scope;
  }
  return ['POST', `${settings.baseUrl}/${tenantId}/v1/tokens`, form, params('token')];
}

/** GET of a tenant's discovery document. */
export function discovery(tenantId) {
  return http.request(...discoveryRequest(tenantId));
}

/** GET of a tenant's key set. */
export function jwks(tenantId) {
  return http.request(...jwksRequest(tenantId));
}

/** POST of a client_credentials request. */
export function token(tenantId) {
  return http.request(...tokenRequest(tenantId));
}

/** What must hold of a discovery document, by name. */
export function discoveryChecks(response) {
  const document = object(response);
  return {
    'discovery: status is 200': response.status === 200,
    'discovery: has an issuer': nonEmptyString(document.issuer),
    'discovery: has a token endpoint': nonEmptyString(document.token_endpoint),
    'discovery: has a JWKS URI': nonEmptyString(document.jwks_uri),
  };
}

/** What must hold of a key set, by name. */
export function jwksChecks(response) {
  const keys = object(response).keys;
  const some = Array.isArray(keys) && keys.length > 0;
  return {
    'jwks: status is 200': response.status === 200,
    'jwks: has keys': some,
    'jwks: every key has a kid': some && keys.every((key) => key !== null && nonEmptyString(key.kid)),
  };
}

/** What must hold of a token response, by name. */
export function tokenChecks(response) {
  const answer = object(response);
  return {
    'token: status is 200': response.status === 200,
    'token: has an access token': nonEmptyString(answer.access_token),
    'token: is a Bearer token': answer.token_type === 'Bearer',
    'token: expires in the future': typeof answer.expires_in === 'number' && answer.expires_in > 0,
  };
}

function nonEmptyString(value) {
  return typeof value === 'string' && value !== '';
}

/** Makes an iteration of a function. An exception becomes a failed check and a count of script_errors. */
export function iteration(body) {
  guarded = true;
  return function (data) {
    try {
      body(data);
    } catch (error) {
      scriptErrors.add(1);
      check(null, { 'script does not throw': false });
      if (errorsLogged < ERRORS_LOGGED_PER_VU) {
        errorsLogged += 1;
        console.error(`iteration threw: ${error}`);
      }
    }
  };
}

function allTenants() {
  if (fixedTenant !== '' || tenantIndex >= 0) {
    return [tenant()];
  }
  return Array.from({ length: settings.tenants }, (unused, index) => tenantAt(index));
}

function verify(what, tenantId, response, checks) {
  const failed = Object.keys(checks).filter((name) => !checks[name]);
  if (failed.length === 0) {
    return;
  }
  const answer = object(response);
  const details = [`status ${response.status}`];
  // Named fields only, and cut short: a response may hold a token.
  for (const detail of [response.error, answer.error, answer.error_description]) {
    if (nonEmptyString(detail)) {
      details.push(detail.substring(0, 200));
    }
  }
  throw new Error(`setup: tenant ${tenantId}: no usable ${what} (${details.join(', ')}); failed: ${failed.join('; ')}`);
}

function verifyAll(what, tenants, request, checks) {
  http.batch(tenants.map(request)).forEach((response, i) => verify(what, tenants[i], response, checks(response)));
}

/** Verifies that each tenant can be tested at all; otherwise the run ends here, and not with figures of errors. */
export function setup() {
  const all = allTenants();
  for (let i = 0; i < all.length; i += TENANTS_PER_BATCH) {
    const some = all.slice(i, i + TENANTS_PER_BATCH);
    verifyAll('discovery document', some, discoveryRequest, discoveryChecks);
    verifyAll('key set', some, jwksRequest, jwksChecks);
    verifyAll('token', some, tokenRequest, tokenChecks);
  }
}

function round(value, digits) {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return 0;
  }
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

function values(data, metric) {
  const found = data.metrics[metric];
  return found === undefined ? {} : found.values;
}

function collectChecks(group, into) {
  for (const one of group.checks) {
    const known = into.find((other) => other.name === one.name);
    if (known === undefined) {
      into.push({ name: one.name, passes: one.passes, fails: one.fails });
    } else {
      known.passes += one.passes;
      known.fails += one.fails;
    }
  }
  for (const child of group.groups) {
    collectChecks(child, into);
  }
  return into;
}

/** The figures of a run as the operator reads them; byName holds all checks, most failing first. */
export function summarize(data) {
  const requests = values(data, 'http_reqs');
  const iterations = values(data, 'iterations');
  const times = values(data, 'http_req_duration');
  const byName = collectChecks(data.root_group, []).sort((a, b) => b.fails - a.fails);
  const count = requests.count || 0;
  return {
    v: 1,
    scenario: settings.scenario,
    vus: settings.vus,
    durationMs: round(data.state.testRunDurationMs, 3),
    requests: count,
    requestRate: round(requests.rate, 3),
    iterations: iterations.count || 0,
    iterationRate: round(iterations.rate, 3),
    droppedIterations: values(data, 'dropped_iterations').count || 0,
    // Without iteration() nobody counted them, so there is no figure; the operator wants one, and refuses the rest.
    scriptErrors: guarded ? values(data, 'script_errors').count || 0 : undefined,
    // Six digits: a share below 0.05 % is still one.
    errorRate: round(values(data, 'http_req_failed').rate, 6),
    checks: {
      passes: byName.reduce((sum, one) => sum + one.passes, 0),
      fails: byName.reduce((sum, one) => sum + one.fails, 0),
      byName,
    },
    duration:
      count === 0
        ? null
        : {
            avg: round(times.avg, 3),
            min: round(times.min, 3),
            med: round(times.med, 3),
            p90: round(times['p(90)'], 3),
            p95: round(times['p(95)'], 3),
            p99: round(times['p(99)'], 3),
            max: round(times.max, 3),
          },
  };
}

function utf8Length(string) {
  let bytes = 0;
  for (const character of string) {
    const code = character.codePointAt(0);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** The summary as JSON of at most 4,096 bytes: the least failing checks are left out as needed. */
export function compact(summary) {
  let byName = summary.checks.byName.slice(0, CHECKS_IN_SUMMARY);
  for (;;) {
    const json = JSON.stringify({ ...summary, checks: { ...summary.checks, byName } });
    if (byName.length === 0 || utf8Length(json) <= SUMMARY_LIMIT_BYTES) {
      return json;
    }
    byName = byName.slice(0, -1);
  }
}

function row(label, value) {
  return `  ${label.padEnd(20, '.')} ${value}`;
}

/** The summary for people. */
export function table(summary) {
  const lines = [
    '',
    `${summary.scenario === '' ? 'scenario' : summary.scenario}: ${summary.vus} VUs, ${round(summary.durationMs / 1000, 1)} s`,
    row('requests', `${summary.requests} (${round(summary.requestRate, 1)}/s)`),
    row('iterations', `${summary.iterations} (${round(summary.iterationRate, 1)}/s)`),
    row('dropped iterations', summary.droppedIterations),
    row('script errors', summary.scriptErrors === undefined ? 'not counted' : summary.scriptErrors),
    row('failed requests', `${round(summary.errorRate * 100, 4)} %`),
    row('checks', `${summary.checks.passes} passed, ${summary.checks.fails} failed`),
  ];
  const times = summary.duration;
  if (times === null) {
    lines.push(row('duration', 'no requests'));
  } else {
    for (const key of ['avg', 'min', 'med', 'p90', 'p95', 'p99', 'max']) {
      lines.push(row(`duration ${key}`, `${times[key]} ms`));
    }
  }
  for (const one of summary.checks.byName) {
    lines.push(`  ${one.fails === 0 ? 'ok  ' : 'FAIL'} ${one.name}: ${one.passes} passed, ${one.fails} failed`);
  }
  lines.push('');
  return lines.join('\n');
}

/** Writes the compact summary where the operator finds it, and a table to the log. */
export function handleSummary(data) {
  const summary = summarize(data);
  return { [settings.summaryPath]: compact(summary), stdout: table(summary) };
}
