# gradwatch-corpus: kind=graph-held
# holder: probe.stats.total | self.stats.total | stats.total | self.total
# first-bad: 1
# notice: 8
# Biased matrix factorisation for recipe ratings; every third update a validation probe runs.
import torch

from factors import BiasedMF
from probe import ValidationProbe
from ratings import make_ratings


def run(steps=360, probe_every=3):
    torch.set_num_threads(1)
    torch.manual_seed(17)
    train, valid = make_ratings(n_users=120, n_items=90, n=5000)
    model = BiasedMF(120, 90, rank=6, mean=train.stars.mean().item())
    opt = torch.optim.Adagrad(model.parameters(), lr=0.15)
    probe = ValidationProbe(model, valid)

    for step in range(steps):
        u, i, stars = train.sample(128)
        loss = (model(u, i) - stars).square().mean() + 1e-3 * model.penalty(u, i)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % probe_every == 0:
            probe()
        if step % 90 == 89:
            print(f"{step + 1:4d} updates  train mse {loss.item():.3f}  valid rmse (mean so far) {probe.mean():.3f}")


if __name__ == "__main__":
    run()
