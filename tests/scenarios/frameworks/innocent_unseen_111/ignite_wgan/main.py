# gradwatch-corpus: kind=none
"""WGAN-GP for synthetic customer load profiles, written as an ignite engine."""
import torch
from ignite.engine import Engine, Events
from ignite.metrics import Average, RunningAverage
from torch.utils.data import DataLoader

from handlers import Snapshots, attach_epoch_outputs
from players import Critic, Generator, load_profiles
from steps import WGANStep

torch.set_num_threads(1)


def main():
    torch.manual_seed(55)
    loader = DataLoader(load_profiles(1280), batch_size=32, shuffle=True, drop_last=True)
    gen, critic = Generator(), Critic()
    step = WGANStep(gen, critic, lam=5.0, n_critic=4)
    trainer = Engine(step)

    RunningAverage(output_transform=lambda o: o["critic"], alpha=0.95).attach(trainer, "critic")
    RunningAverage(output_transform=lambda o: o["penalty"], alpha=0.95).attach(trainer, "penalty")
    Average(output_transform=lambda o: o["fake"].mean()).attach(trainer, "load")
    gaps = attach_epoch_outputs(trainer, "gap")
    snaps = Snapshots(gen, every=2)
    snaps.attach(trainer)

    @trainer.on(Events.EPOCH_COMPLETED)
    def show(engine):
        m = engine.state.metrics
        print(f"epoch {engine.state.epoch} critic {m['critic']:.3f} gp {m['penalty']:.4f} "
              f"load {float(m['load']):.3f} gap {gaps[-1]:.3f}")

    trainer.run(loader, max_epochs=8)
    print("snapshots", tuple(torch.stack(snaps.taken).shape))


if __name__ == "__main__":
    main()
