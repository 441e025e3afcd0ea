# gradwatch-corpus: kind=graph-chain
# holder: self.mean | climatology.mean | self.climatology.mean | model.climatology.mean | self.model.climatology.mean
# first-bad: 1
"""Seasonal temperature forecast over a coarse grid: encoder, running climatology in
latent space, decoder for the anomaly. Two objectives share one forward pass."""
import torch

from model import SeasonalModel
from synth import GridWeather


class Experiment:
    def __init__(self, steps=230, seed=21):
        torch.manual_seed(seed)
        self.steps = steps
        self.world = GridWeather(lat=6, lon=10, seed=seed)
        self.model = SeasonalModel(self.world.cells, latent=16)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.8)

    def objectives(self, now, later):
        forecast, code = self.model(now)
        rmse = (forecast - later).pow(2).mean().sqrt()
        spread = (code.std(dim=0) - 0.4).pow(2).mean()
        return rmse, 0.1 * spread

    def advance(self):
        now, later = self.world.month(batch=16)
        main, aux = self.objectives(now, later)
        self.opt.zero_grad()
        # both terms need the encoder's graph
        main.backward(retain_graph=True)
        aux.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return main.item(), aux.item()

    def run(self):
        skill = 0.0
        for k in range(self.steps):
            main, aux = self.advance()
            skill = main if k == 0 else 0.95 * skill + 0.05 * main
            if (k + 1) % 46 == 0:
                print(f"month {k + 1:4d}  rmse {skill:.3f}  spread {aux:.4f}  "
                      f"|clim| {self.model.climatology.magnitude():.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    Experiment().run()
