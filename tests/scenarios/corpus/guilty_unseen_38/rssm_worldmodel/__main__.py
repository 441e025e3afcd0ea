# gradwatch-corpus: kind=second-backward
# holder: self.carry | learner.carry | self.carry.stoch | learner.carry.stoch
# first-bad: 12
"""Train a small recurrent state-space model on chunks of bouncing-ball episodes."""
import torch
from torch.distributions import Normal, kl_divergence
from torch.nn.functional import mse_loss

from .episodes import EpisodeStore
from .nets import Latent, RSSM


class WorldModelLearner:
    def __init__(self, obs_dim, act_dim, lr=1e-3, free_nats=0.5):
        self.rssm = RSSM(obs_dim, act_dim)
        self.opt = torch.optim.Adam(self.rssm.parameters(), lr=lr, eps=1e-5)
        self.free_nats = free_nats
        self.carry = None

    def begin(self, chunk):
        if chunk.is_first or self.carry is None:
            return self.rssm.initial(chunk.obs.size(1))
        return self.carry  # <- culprit

    def train(self, chunk):
        latent = self.begin(chunk)
        recon, kl = 0.0, 0.0
        for obs, act in zip(chunk.obs, chunk.act):
            prior, post, latent = self.rssm.observe(latent, act, obs)
            recon = recon + mse_loss(self.rssm.decode(latent), obs)
            kl = kl + kl_divergence(Normal(*post), Normal(*prior)).sum(-1).mean()
        steps = len(chunk.obs)
        recon, kl = recon / steps, kl / steps
        loss = recon + 0.1 * kl.clamp(min=self.free_nats)

        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.rssm.parameters(), 100.0)
        self.opt.step()

        self.carry = Latent(deter=latent.deter.detach(), stoch=latent.stoch)  # <- culprit
        return {"recon": recon.item(), "kl": kl.item()}


def main():
    torch.manual_seed(31)
    store = EpisodeStore(seed=31, chunk_len=8)
    learner = WorldModelLearner(obs_dim=store.obs_dim, act_dim=store.act_dim)
    n = 0
    # random-policy episodes are short; those of the scripted policy go on for longer
    for episode in store.replay(prefill=11, scripted=30):
        for chunk in episode:
            logs = learner.train(chunk)
            n += 1
            if n % 4 == 0:
                print(f"chunk {n:3d}  recon {logs['recon']:.4f}  kl {logs['kl']:.3f}")
    print("done after", n, "chunks")


if __name__ == "__main__":
    main()
