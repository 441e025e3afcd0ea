# gradwatch-corpus: kind=graph-held
# holder: self._pending | table._pending | plugin._pending | ScoreTable._pending | values | self.plugins[1]._pending
# first-bad: 1
"""Radar nowcasting, 4 past frames -> 2 future frames, with all side effects (scores, alarms, progress)
hanging off an event bus so that experiments only swap plugins."""
import torch

from bus import EventBus
from nowcaster import ConvNowcaster, advecting_blobs
from plugins import REGISTRY


class Experiment:
    def __init__(self, cfg):
        torch.manual_seed(cfg["seed"])
        self.cfg = cfg
        self.bus = EventBus()
        self.model = ConvNowcaster(cfg["past"], cfg["future"], cfg["width"])
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg["lr"])
        self.plugins = [REGISTRY[name](**kw) for name, kw in cfg["plugins"]]
        for plugin in self.plugins:
            plugin.attach(self.bus)

    def run(self):
        gen = torch.Generator().manual_seed(self.cfg["seed"])
        self.bus.publish("run_begin", cfg=self.cfg)
        for step in range(self.cfg["steps"]):
            past, future = advecting_blobs(self.cfg["batch"], self.cfg["past"], self.cfg["future"], gen)
            self.step(step, past, future)
        self.bus.publish("run_end")

    def step(self, step, past, future):
        pred = self.model(past)
        rain = 1.0 + 4.0 * (future > 0.3).float()
        loss = (rain * (pred - future).abs()).mean()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.opt.step()
        self.bus.publish("step_end", step=step, loss=loss, pred=pred.detach(), truth=future, norm=float(norm))  # <- culprit


CONFIG = {
    "seed": 11, "steps": 260, "batch": 6, "past": 4, "future": 2, "width": 10, "lr": 2e-3,
    "plugins": [
        ("csi", {"threshold": 0.3, "every": 65}),
        ("score_table", {"columns": ("step", "loss", "norm")}),
        ("progress", {"every": 65}),
    ],
}

if __name__ == "__main__":
    Experiment(CONFIG).run()
