# gradwatch-corpus: kind=none
import torch

from .model import TemporalGraphNet
from .stream import event_batches
from .train import WindowTrainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    model = TemporalGraphNet(num_nodes=50, msg_dim=4)
    trainer = WindowTrainer(model, window=3, lr=2e-3)
    batches = event_batches(50, 4, events=2000, batch_size=20)
    for epoch in range(1, 4):
        model.reset_memory()
        print(f"Epoch: {epoch:02d}, Loss: {trainer.run(batches):.4f}, memory norm {model.memory.norm().item():.3f}")


if __name__ == "__main__":
    main()
