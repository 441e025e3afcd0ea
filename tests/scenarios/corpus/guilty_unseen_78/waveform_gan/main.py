# gradwatch-corpus: kind=second-backward
# holder: stats.real_feat | real_feat | target | stats | seen.real_feat
# first-bad: 12
# notice: 1
"""Tiny waveform GAN with a feature-matching term after a warm-up."""
import torch

from nets import Critic, Synth, waves
from players import CriticPlayer, SynthPlayer


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(17)
    synth, critic = Synth(latent=6, samples=32), Critic(samples=32)
    critic_player = CriticPlayer(critic, lr=1e-3)
    synth_player = SynthPlayer(synth, critic, lr=1e-3, warmup=12)

    for it in range(80):
        real = waves(32, 32)
        z = torch.randn(32, 6)
        fake = synth(z)
        stats = critic_player.play(real, fake)
        g_loss = synth_player.play(it, fake, stats)
        if it % 10 == 0:
            print(f"{it:3d}  D {stats.loss.item():.3f}  G {g_loss:.3f}  margin {stats.margin:.3f}")


if __name__ == "__main__":
    main()
