# gradwatch-corpus: kind=none
"""Differential learning of option values: prices and deltas fitted together."""
import torch
from torch.nn import functional as F

from desk import Bus, RiskBook
from pricer import ValueNet
from world import basket_paths


def step(net, opt, bus, batch):
    spot = batch.spot.clone().requires_grad_()
    value = net(spot)
    (delta,) = torch.autograd.grad(value.sum(), spot, create_graph=True)
    gamma_proxy = torch.autograd.grad(delta.sum(), spot, create_graph=True)[0]
    loss = F.mse_loss(value, batch.payoff)
    loss = loss + F.mse_loss(delta / net.scale, batch.pathwise / net.scale)
    loss = loss + 1e-3 * F.relu(-gamma_proxy).square().mean()
    bus.publish("priced", value.detach(), delta.detach())
    opt.zero_grad()
    loss.backward()
    opt.step()
    bus.publish("bar", batch.spot, batch.pathwise)
    return loss.item()


def main():
    torch.manual_seed(12)
    net = ValueNet(n_assets=5, width=48)
    book, bus = RiskBook(depth=50), Bus()
    bus.subscribe("bar", net.on_bar)
    bus.subscribe("priced", book.on_priced)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for i, batch in enumerate(basket_paths(260, size=256)):
        loss = step(net, opt, bus, batch)
        if i % 40 == 0:
            print(f"batch {i:4d} loss {loss:.4f} book {book.summary()} scale {net.scale.mean().item():.3f}")


if __name__ == "__main__":
    main()
