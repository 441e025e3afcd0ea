# gradwatch-corpus: kind=graph-held
# holder: weight._backward_hooks | model.head.weight._backward_hooks | self.parameters[name]._backward_hooks | self.parameters["head"]._backward_hooks | watch.parameters["head"]._backward_hooks | self.head.weight._backward_hooks | model.head.weight | weight | probe
# first-bad: 1
"""Wheat yield per plot from weekly NDVI curves and soil samples, with an eye on how hard the yield head is pushed.
Plots are synthetic, in the shape of the 2021 campaign."""
import torch
import torch.nn.functional as F

from fields import PlotCampaign
from net import YieldNet
from watch import GradientWatch

STEPS = 240


def weighted_mse(predicted, measured, area):
    return (area * (predicted - measured).pow(2)).sum() / area.sum()


def holdout_error(model, plots):
    model.eval()
    with torch.no_grad():
        ndvi, soil, area, tons = plots
        error = F.l1_loss(model(ndvi, soil), tons).item()
    model.train()
    return error


def main():
    torch.manual_seed(40)
    campaign = PlotCampaign(seed=12)
    holdout = campaign.draw(64)
    model = YieldNet()
    watch = GradientWatch({"head": model.head.weight})
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)

    for step in range(STEPS):
        ndvi, soil, area, tons = campaign.draw(32)
        loss = weighted_mse(model(ndvi, soil), tons, area)
        watch.attach(loss)  # <- culprit
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 60 == 59:
            print(f"step {step + 1}: loss {loss.item():.4f}, holdout {holdout_error(model, holdout):.3f} t/ha, {watch}")


if __name__ == "__main__":
    main()
