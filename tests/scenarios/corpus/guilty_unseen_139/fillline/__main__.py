# gradwatch-corpus: kind=graph-held
# holder: bus.journal | bus.journal[i].payload["loss"] | self.bus.journal | self.journal
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)

from .bus import EventBus
from .config import LineConfig
from .nets import NozzleNet
from .runner import Runner


def main():
    cfg = LineConfig()
    torch.manual_seed(cfg.seed)
    bus = EventBus()
    net = NozzleNet(cfg.sensors, cfg.hidden)

    @bus.on("shift-end")
    def report(evt):
        print(f"shift {evt.payload['shift']:2d}  mean abs error {evt.payload['mae']:.4f} ml")

    best = {"mae": float("inf")}

    @bus.on("step")
    def remember_best(evt):
        best["mae"] = min(best["mae"], evt.payload["mae"])

    Runner(cfg, net, bus).run()
    print("best", round(best["mae"], 4), "events", bus.count)


if __name__ == "__main__":
    main()
