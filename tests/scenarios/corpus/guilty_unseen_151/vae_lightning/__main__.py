# gradwatch-corpus: kind=graph-held
# holder: self.training_step_outputs | model.training_step_outputs | module.training_step_outputs
# first-bad: 1
import torch
from torch.utils.data import DataLoader, TensorDataset

from . import LitVAE, Trainer


def blobs(n, dim=48):
    centres = torch.rand(6, dim)
    return (centres[torch.randint(0, 6, (n,))] + 0.05 * torch.randn(n, dim)).clamp(0, 1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(7)
    train = DataLoader(TensorDataset(blobs(480)), batch_size=16, shuffle=True)
    val = DataLoader(TensorDataset(blobs(64)), batch_size=32)
    model = LitVAE(48, latent=6)
    trainer = Trainer(max_epochs=3, log_every_n_steps=10)
    trainer.fit(model, train, val)
    print({k: round(v, 3) for k, v in trainer.logged_metrics.items()})


if __name__ == "__main__":
    main()
