# gradwatch-corpus: kind=graph-held
# holder: theta.grad | theta
# first-bad: 1
# notice: 8
# %% [1] photometric distances: MAP step and Fisher matrix, star after star
import torch

torch.set_num_threads(1)
torch.manual_seed(100)
torch.set_default_dtype(torch.float64)
import warnings
warnings.filterwarnings("ignore")

# %% [2] filters
BANDS = 6
slopes = torch.linspace(-1.2, 0.9, BANDS)
extinction = torch.tensor([1.6, 1.2, 1.0, 0.8, 0.5, 0.3])
sigma = 0.03
catalogue = []
for _ in range(420):
    temp, mu, av = torch.randn(()) * 0.3, 5 + torch.randn(()), torch.rand(()) * 0.5
    catalogue.append(mu + slopes * temp + 0.3 * temp ** 2 + extinction * av + sigma * torch.randn(BANDS))


# %% [3] model
def magnitudes(th):
    temp, mu, log_av = th
    return mu + slopes * temp + 0.3 * temp ** 2 + extinction * log_av.exp()


def minus_log_posterior(th, mags):
    like = 0.5 * (((magnitudes(th) - mags) / sigma) ** 2).sum()
    prior = 0.5 * (th[0] / 0.3) ** 2 + 0.5 * ((th[1] - 5) / 1.0) ** 2 + 0.5 * (th[2] + 1.5) ** 2
    return like + prior


def fisher(mags, start):
    theta = start.clone().requires_grad_(True)
    minus_log_posterior(theta, mags).backward(create_graph=True)  # <- culprit
    slope = theta.grad
    rows = [torch.autograd.grad(component, theta, retain_graph=True)[0] for component in slope]
    return torch.stack(rows), slope.detach(), theta.detach()


# %% [4]
def start_for(mags):
    return torch.tensor([0.0, float(mags.mean()) - 0.3, -1.5])


# %% [5]
table = []
for k, mags in enumerate(catalogue):
    H, g, th = fisher(mags, start_for(mags))
    H = H + 1e-3 * torch.eye(3) * H.diagonal().abs().max()
    step = torch.linalg.solve(H, g)
    distance = (th - step.clamp(-1, 1))[1].item()
    err = torch.linalg.inv(H)[1, 1].abs().sqrt().item()
    table.append((distance, err))
    if k % 105 == 104:
        recent = table[-105:]
        print(k + 1, "mean modulus %.3f" % (sum(r[0] for r in recent) / 105),
              "mean error %.3f" % (sum(r[1] for r in recent) / 105))

# %% [6]
best = sorted(table, key=lambda r: r[1])[:3]
print(best)
