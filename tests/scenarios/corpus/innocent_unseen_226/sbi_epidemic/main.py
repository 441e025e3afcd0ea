# gradwatch-corpus: kind=none
"""Sequential neural posterior estimation: each round simulates at samples of the current posterior."""
import torch
from torch.distributions import Independent, Normal

from density import MixturePosterior
from simulator import outbreak

ROUNDS = 4
PER_ROUND = 300
STEPS = 40


def propose(prior, q, observed, n):
    if q is None:
        return prior.sample((n,))
    with torch.no_grad():
        post = q(observed[None])
        wide = post.sample((n,)).squeeze(1)
    return wide + 0.1 * torch.randn_like(wide)


def log_weight(prior, q_old, observed, theta):
    if q_old is None:
        return torch.zeros(theta.shape[0])
    with torch.no_grad():
        lw = prior.log_prob(theta) - q_old(observed[None]).log_prob(theta)
    return lw.clamp(-2, 2)


def run():
    torch.manual_seed(88)
    prior = Independent(Normal(torch.tensor([-1.0, -2.0]), torch.tensor([0.5, 0.5])), 1)
    truth = torch.tensor([[-0.7, -1.9]])
    observed = outbreak(truth)[0]
    q = MixturePosterior(observed.numel())
    opt = torch.optim.AdamW(q.parameters(), lr=2e-3)
    bank = []
    trained = None
    for r in range(ROUNDS):
        theta = propose(prior, trained, observed, PER_ROUND)
        x = outbreak(theta)
        bank.append((theta, x, log_weight(prior, trained, observed, theta)))
        all_theta, all_x, all_lw = (torch.cat(col) for col in zip(*bank))
        w = (all_lw - all_lw.max()).exp()
        for _ in range(STEPS):
            rows = torch.multinomial(w, 100, replacement=True)
            loss = -q(all_x[rows]).log_prob(all_theta[rows]).mean()
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(q.parameters(), 5.0)
            opt.step()
        trained = q
        with torch.no_grad():
            draws = q(observed[None]).sample((500,)).squeeze(1)
        mean = [round(v, 3) for v in draws.mean(0).tolist()]
        print(f"round {r} nll {loss.item():.3f} posterior mean {mean} bank {sum(len(b[0]) for b in bank)}")


run()
