# gradwatch-corpus: kind=graph-held
# holder: self.entries | journal.entries | self.journal.entries | svi.journal.entries | svi.journal
# first-bad: 1
"""Hierarchical Poisson model of clinic visits, fitted by stochastic variational
inference with a minimal effect-handler language (sample / param / trace / replay)."""
from collections import OrderedDict

import torch
import torch.distributions as dist
from torch.distributions import constraints, transform_to

_STACK = []
_PARAM_STORE = {}


class Messenger:
    def __init__(self, fn=None):
        self.fn = fn

    def __enter__(self):
        _STACK.append(self)
        return self

    def __exit__(self, *exc):
        assert _STACK.pop() is self

    def __call__(self, *args, **kwargs):
        with self:
            return self.fn(*args, **kwargs)

    def process(self, msg):
        pass

    def postprocess(self, msg):
        pass


class trace(Messenger):
    def __enter__(self):
        self.sites = OrderedDict()
        return super().__enter__()

    def postprocess(self, msg):
        self.sites[msg["name"]] = msg

    def get_trace(self, *args, **kwargs):
        self(*args, **kwargs)
        return self.sites


class replay(Messenger):
    def __init__(self, fn, guide_trace):
        super().__init__(fn)
        self.guide_trace = guide_trace

    def process(self, msg):
        if msg["name"] in self.guide_trace and not msg["observed"]:
            msg["value"] = self.guide_trace[msg["name"]]["value"]


def sample(name, fn, obs=None):
    msg = dict(name=name, fn=fn, value=obs, observed=obs is not None)
    for handler in reversed(_STACK):
        handler.process(msg)
    if msg["value"] is None:
        msg["value"] = fn.rsample()
    for handler in _STACK:
        handler.postprocess(msg)
    return msg["value"]


def param(name, init, constraint=constraints.real):
    if name not in _PARAM_STORE:
        raw = transform_to(constraint).inv(init).clone().requires_grad_()
        _PARAM_STORE[name] = (raw, constraint)
    raw, constraint = _PARAM_STORE[name]
    return transform_to(constraint)(raw)


def log_prob_sum(sites):
    return sum(s["fn"].log_prob(s["value"]).sum() for s in sites.values())


class Trace_ELBO:
    def __init__(self, num_particles=2):
        self.num_particles = num_particles

    def loss(self, model, guide, *args):
        elbo = 0.0
        for _ in range(self.num_particles):
            g = trace(guide).get_trace(*args)
            m = trace(replay(model, g)).get_trace(*args)
            elbo = elbo + (log_prob_sum(m) - log_prob_sum(g)) / self.num_particles
        return -elbo


class Journal:
    """Lines are put together only when the journal is printed."""

    def __init__(self, every):
        self.every = every
        self.entries = []

    def note(self, step, line):
        self.entries.append((step, line))  # <- culprit

    def print(self):
        for step, line in self.entries:
            if step % self.every == 0:
                print(f"[{step:5d}] {line()}")


class SVI:
    def __init__(self, model, guide, make_optim, elbo, journal):
        self.model, self.guide, self.elbo = model, guide, elbo
        self.make_optim, self.optim = make_optim, None
        self.journal = journal
        self.steps = 0

    def _optimizer(self, *args):
        if self.optim is None:
            with torch.no_grad():
                self.guide(*args)
            self.optim = self.make_optim([raw for raw, _ in _PARAM_STORE.values()])
        return self.optim

    def step(self, *args):
        optim = self._optimizer(*args)
        optim.zero_grad()
        loss = self.elbo.loss(self.model, self.guide, *args)
        loss.backward()
        optim.step()
        self.journal.note(self.steps, lambda: f"elbo {-loss.item():9.2f}")  # <- culprit
        self.steps += 1
        return loss.item()


def model(exposure, visits):
    mu = sample("mu", dist.Normal(0.0, 2.0))
    tau = sample("tau", dist.LogNormal(0.0, 0.5))
    rate = sample("rate", dist.Normal(mu.expand(len(exposure)), tau))
    sample("obs", dist.Poisson(exposure.unsqueeze(1) * rate.exp().unsqueeze(1)), obs=visits)


def guide(exposure, visits):
    n = len(exposure)
    sample("mu", dist.Normal(param("mu_loc", torch.tensor(0.0)),
                             param("mu_scale", torch.tensor(0.3), constraints.positive)))
    sample("tau", dist.LogNormal(param("tau_loc", torch.tensor(-1.0)),
                                 param("tau_scale", torch.tensor(0.2), constraints.positive)))
    sample("rate", dist.Normal(param("rate_loc", torch.zeros(n)),
                               param("rate_scale", torch.full((n,), 0.2), constraints.positive)))


def main(num_steps=500):
    torch.manual_seed(8)
    exposure = torch.tensor([1.0, 2.5, 0.7, 1.8, 3.0, 1.1, 0.9, 2.2])
    true_rate = 0.8 + 0.4 * torch.randn(8)
    visits = torch.poisson((exposure * true_rate.exp()).unsqueeze(1).expand(8, 12))
    svi = SVI(model, guide, lambda p: torch.optim.Adam(p, lr=0.02), Trace_ELBO(), Journal(every=100))
    running = None
    for _ in range(num_steps):
        value = svi.step(exposure, visits)
        running = value if running is None else 0.95 * running + 0.05 * value
    svi.journal.print()
    print(f"final -elbo (smoothed) {running:.2f}")
    with torch.no_grad():
        for i, (r, t) in enumerate(zip(_PARAM_STORE["rate_loc"][0].tolist(), true_rate.tolist())):
            print(f"clinic {i}: {r:+.2f}  (truth {t:+.2f})")


if __name__ == "__main__":
    main()
