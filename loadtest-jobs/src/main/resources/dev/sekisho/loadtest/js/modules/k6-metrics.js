const host = globalThis.__k6RunnerHost;

class CustomMetric {
  #native;

  constructor(type, name, isTime) {
    try {
      this.#native = host.newMetric(type, String(name), isTime === true);
    } catch (error) {
      throw new Error(host.messageOf(error));
    }
    Object.defineProperty(this, 'name', { value: name, enumerable: true });
  }

  add(value, tags) {
    host.requireVu('Adding to metrics');
    const number = value === null || value === undefined ? NaN : Number(value);
    if (Number.isNaN(number)) {
      host.log(
        'warning',
        `'${String(value)}' is an invalid value for metric '${this.name}', a number or a boolean value is expected`,
      );
      return false;
    }
    try {
      host.addToMetric(this.#native, number, tags);
    } catch (error) {
      throw new Error(host.messageOf(error));
    }
    return true;
  }
}

export class Counter extends CustomMetric {
  constructor(name, isTime) {
    super('counter', name, isTime);
  }
}

export class Gauge extends CustomMetric {
  constructor(name, isTime) {
    super('gauge', name, isTime);
  }
}

export class Rate extends CustomMetric {
  constructor(name, isTime) {
    super('rate', name, isTime);
  }
}

export class Trend extends CustomMetric {
  constructor(name, isTime) {
    super('trend', name, isTime);
  }
}

export default { Counter, Gauge, Rate, Trend };
