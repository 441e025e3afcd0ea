# gradwatch-corpus: kind=graph-held
# holder: self.journal | self._journal | bus.journal | bus._journal | trainer.bus.journal | self.bus.journal
# first-bad: 1
# notice: 8
"""Insurance claim severity, trained by an event-driven engine with an audit journal."""
import torch

from bus import EventBus
from engine import Engine, EngineConfig
from plugins import AuditPlugin, LrDecay, Printer


def main():
    torch.set_num_threads(1)
    cfg = EngineConfig()
    torch.manual_seed(cfg.seed)
    bus = EventBus()
    for plugin in (LrDecay(every=80, factor=0.7), Printer(every=60), AuditPlugin()):
        plugin.attach(bus)
    trainer = Engine(cfg, bus)
    trainer.run()


if __name__ == "__main__":
    main()
