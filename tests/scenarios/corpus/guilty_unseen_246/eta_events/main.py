# gradwatch-corpus: kind=graph-held
# holder: self.worst | self.worst[zone] | auditor.worst | auditor.worst[zone]
# first-bad: 1
import torch

from auditor import ZoneAuditor
from bus import EventBus
from engine import EtaEngine
from rides import RideStream


def main():
    torch.manual_seed(77)
    bus = EventBus()
    auditor = ZoneAuditor(keep=400)
    bus.subscribe("batch_done", auditor.on_batch)
    engine = EtaEngine(bus, zones=12, lr=4e-3)
    for step, rides in enumerate(RideStream(zones=12, size=64, steps=130)):
        loss = engine.train_on(rides)
        if step % 40 == 0:
            print(f"step {step} huber {loss:.4f} events {bus.delivered}")
    for zone, minutes in auditor.table()[:3]:
        print(f"zone {zone}: worst miss {minutes:.2f}")


if __name__ == "__main__":
    main()
