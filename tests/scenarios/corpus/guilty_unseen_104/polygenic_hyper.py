# gradwatch-corpus: kind=graph-chain
# holder: beta
# first-bad: 1
# notice: 5
#
# Learned step sizes (one per chromosome) for a polygenic score:
# the effect sizes follow a differentiable descent on the discovery cohort,
# the hyper-parameters follow the validation cohort.
import torch
import torch.nn as nn

torch.manual_seed(2024)
torch.set_num_threads(1)

N_SNP, N_CHR, N_IND = 48, 6, 32


class Hyper(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_rate = nn.Parameter(torch.full((N_CHR,), -3.5))
        self.register_buffer("chrom", torch.arange(N_SNP) % N_CHR)

    def rate(self):
        return self.log_rate.exp()[self.chrom]


class Cohort:
    def __init__(self, effects, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.maf = 0.05 + 0.4 * torch.rand(N_SNP, generator=self.g)
        self.effects = effects

    def draw(self):
        p = self.maf.expand(N_IND, N_SNP)
        dosage = torch.bernoulli(p, generator=self.g) + torch.bernoulli(p, generator=self.g)
        x = (dosage - 2 * self.maf) / torch.sqrt(2 * self.maf * (1 - self.maf))
        y = x @ self.effects + 0.5 * torch.randn(N_IND, generator=self.g)
        return x, y


def descent(hyper, discovery):
    """Yield the effect sizes after every discovery batch."""
    beta = torch.zeros(N_SNP, requires_grad=True)
    while True:
        x, y = discovery.draw()
        fit = (x @ beta - y).square().mean()
        grad, = torch.autograd.grad(fit, beta, create_graph=True)
        beta = beta - hyper.rate() * grad  # <- culprit
        yield beta  # <- culprit


def r2(x, y, beta):
    with torch.no_grad():
        res = (x @ beta - y).var() / y.var()
    return 1 - res.item()


def main():
    sparse = (torch.rand(N_SNP) < 0.25).float()
    effects = 0.3 * torch.randn(N_SNP) * sparse
    discovery, validation = Cohort(effects, 1), Cohort(effects, 2)
    hyper = Hyper()
    opt = torch.optim.Adam(hyper.parameters(), lr=0.01)

    for i, beta in zip(range(130), descent(hyper, discovery)):
        x, y = validation.draw()
        outer = (x @ beta - y).abs().mean()
        opt.zero_grad()
        outer.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(hyper.parameters(), 1.0)
        opt.step()
        if i % 25 == 0:
            print(f"{i:3d} MAE {outer.item():.3f} R2 {r2(x, y, beta):+.3f} "
                  f"rate {hyper.rate().mean().item():.4f}")


if __name__ == "__main__":
    main()
