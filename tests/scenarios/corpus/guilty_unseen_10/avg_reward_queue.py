# gradwatch-corpus: kind=graph-chain
# holder: self.rbar | learner.rbar
# first-bad: 1
"""Differential (average reward) actor-critic on the access-control queue of Sutton & Barto, section 10.3, with many
queues side by side. Linear function approximation throughout, as in the convergence proofs."""
import torch
from torch import nn
from torch.distributions import Bernoulli

torch.manual_seed(5)

SERVERS = 8
PRIORITIES = torch.tensor([1.0, 2.0, 4.0, 8.0])
FREE_PROB = 0.06
QUEUES = 32
N_FEATURES = (SERVERS + 1) * 4


class Queues:
    """Vectorised access control: state = (free servers, priority of the customer at the head)."""

    def __init__(self, n):
        self.free = torch.full((n,), SERVERS)
        self.head = torch.randint(0, 4, (n,))

    def features(self):
        return nn.functional.one_hot(self.free * 4 + self.head, N_FEATURES).float()

    def step(self, accept):
        accept = (accept > 0) & (self.free > 0)
        reward = torch.where(accept, PRIORITIES[self.head], torch.zeros(()))
        self.free = self.free - accept.long()
        busy = SERVERS - self.free
        freed = torch.binomial(busy.float(), torch.full_like(busy, 0).float() + FREE_PROB).long()
        self.free = self.free + freed
        self.head = torch.randint(0, 4, self.head.shape)
        return reward


class DifferentialLearner:
    def __init__(self, lr_v=0.3, lr_pi=0.5, eta=0.01):
        self.v = nn.Linear(N_FEATURES, 1, bias=False)
        self.pi = nn.Linear(N_FEATURES, 1, bias=False)
        nn.init.zeros_(self.v.weight)
        nn.init.zeros_(self.pi.weight)
        self.rbar = torch.zeros(())
        self.eta = eta
        self.opt = torch.optim.SGD([
            {"params": self.v.parameters(), "lr": lr_v},
            {"params": self.pi.parameters(), "lr": lr_pi},
        ])

    def act(self, x):
        dist = Bernoulli(logits=self.pi(x).squeeze(-1))
        a = dist.sample()
        return a, dist.log_prob(a)

    def td_error(self, x, r, x_next):
        with torch.no_grad():
            v_next = self.v(x_next).squeeze(-1)
        return r - self.rbar + v_next - self.v(x).squeeze(-1)

    def update(self, x, logp, r, x_next):
        delta = self.td_error(x, r, x_next)
        critic_loss = 0.5 * (delta ** 2).mean()
        actor_loss = -(delta.detach() * logp).mean()
        self.opt.zero_grad()
        # delta is needed again for the average reward
        critic_loss.backward(retain_graph=True)  # <- culprit
        actor_loss.backward()
        self.opt.step()
        self.rbar = self.rbar + self.eta * delta.mean()  # <- culprit
        return critic_loss.item(), actor_loss.item()


def run(steps=400, report=80):
    env = Queues(QUEUES)
    learner = DifferentialLearner()
    x = env.features()
    gained = 0.0
    for k in range(steps):
        a, logp = learner.act(x)
        r = env.step(a)
        x_next = env.features()
        c, p = learner.update(x, logp, r, x_next)
        x = x_next
        gained += r.mean().item()
        if (k + 1) % report == 0:
            print(f"{k + 1:4d}  reward per step {gained / report:.3f}  estimate {float(learner.rbar):.3f}  critic {c:.3f}")
            gained = 0.0
    return learner


def show_policy(learner):
    with torch.no_grad():
        p = torch.sigmoid(learner.pi.weight).view(SERVERS + 1, 4)
    print("P(accept), rows = free servers, columns = priority")
    for free, row in enumerate(p.tolist()):
        print(free, " ".join(f"{v:.2f}" for v in row))


show_policy(run())
