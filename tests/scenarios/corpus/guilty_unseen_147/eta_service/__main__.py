# gradwatch-corpus: kind=graph-held
# holder: self.by_segment[event.payload["segment"]] | self.by_segment | ledger.by_segment | service.ledger.by_segment
# first-bad: 1
# notice: 8
import torch

from .service import EtaTrainingService, ServiceConfig

torch.set_num_threads(1)
torch.manual_seed(147)

service = EtaTrainingService(ServiceConfig(steps=320))

if __name__ == "__main__":
    service.run()
    for name, value in sorted(service.ledger.digest().items()):
        print(f"{name:10s} {value:.4f}")
