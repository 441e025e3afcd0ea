# gradwatch-corpus: kind=graph-held
# holder: self.belief | agent.belief
# first-bad: 1
import torch
import torch.nn.functional as F

from arm import ReachEnv, Replay
from nets import RSSM, Actor, kl_normal

OBS, ACT = 8, 2


class Agent:
    def __init__(self):
        self.wm = RSSM(OBS, ACT)
        self.actor = Actor(self.wm.deter + self.wm.stoch, ACT)
        self.wm_opt = torch.optim.Adam(self.wm.parameters(), lr=2e-3)
        self.belief = self.wm.initial(1)
        self.last_action = torch.zeros(1, ACT)

    def act(self, obs):
        obs = torch.from_numpy(obs).unsqueeze(0)
        self.belief, _, _ = self.wm.observe(self.belief, self.last_action, obs)  # <- culprit
        with torch.no_grad():
            a = self.actor(torch.cat(self.belief, -1))
            a = (a + 0.3 * torch.randn_like(a)).clamp(-1, 1)
        self.last_action = a
        return a.squeeze(0).numpy()

    def learn(self, batch):
        obs, act, rew = (torch.from_numpy(b) for b in batch)
        T, B = obs.shape[:2]
        belief = self.wm.initial(B)
        recon = kl = rloss = 0.0
        for t in range(T):
            prev = act[t - 1] if t else torch.zeros(B, ACT)
            belief, prior, post = self.wm.observe(belief, prev, obs[t])
            feat = torch.cat(belief, -1)
            recon = recon + F.mse_loss(self.wm.decoder(feat), obs[t])
            rloss = rloss + F.mse_loss(self.wm.reward(feat).squeeze(-1), rew[t])
            kl = kl + kl_normal(post, prior).clamp(min=0.5).mean()
        loss = (recon + rloss + 0.1 * kl) / T
        self.wm_opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.wm.parameters(), 10.0)
        self.wm_opt.step()
        return {"recon": recon.item() / T, "reward": rloss.item() / T, "kl": kl.item() / T}


def main(steps=140):
    torch.manual_seed(0)
    env, replay, agent = ReachEnv(1), Replay(8, 2), Agent()
    obs = env.reset()
    log = []
    for step in range(steps):
        action = agent.act(obs)
        nxt, rew = env.step(action)
        replay.add(obs, action, rew)
        obs = nxt
        if replay.ready():
            log.append(agent.learn(replay.sample(8)))
            if step % 40 == 0:
                print(step, {k: round(v, 3) for k, v in log[-1].items()})
    print("updates", len(log))


if __name__ == "__main__":
    main()
