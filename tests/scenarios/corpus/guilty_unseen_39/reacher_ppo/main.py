# gradwatch-corpus: kind=second-backward
# holder: self.values | buffer.values | adv | advantages
# first-bad: 1
# also: graph-unused
import torch

from env import PointReacher
from policy import ActorCritic
from rollout import RolloutBuffer

hp = {
    "updates": 20,
    "horizon": 64,
    "k_epochs": 4,
    "clip": 0.2,
    "gamma": 0.97,
    "lam": 0.95,
    "lr": 3e-3,
    "vf_coef": 0.5,
    "ent_coef": 0.01,
}


class PPO:
    def __init__(self, env, hp):
        self.env, self.hp = env, hp
        self.policy = ActorCritic(env.obs_dim, env.act_dim)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=hp["lr"])
        self.buffer = RolloutBuffer(hp["gamma"], hp["lam"])
        self.obs = env.reset()

    def collect(self):
        self.buffer.clear()
        for _ in range(self.hp["horizon"]):
            dist, value = self.policy(self.obs)  # <- culprit
            action = dist.sample()
            logp = dist.log_prob(action).sum(-1)
            nxt, reward, done = self.env.step(action)
            self.buffer.add(self.obs, action, reward, done, logp.detach(), value)  # <- culprit
            self.obs = self.env.reset() if done else nxt
        with torch.no_grad():
            _, last_value = self.policy(self.obs)
        return self.buffer.finish(last_value)

    def update(self):
        obs, actions, old_logp, advantages, returns = self.collect()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)  # <- culprit
        for k in range(self.hp["k_epochs"]):
            dist, value = self.policy(obs)
            logp = dist.log_prob(actions).sum(-1)
            ratio = (logp - old_logp).exp()
            clipped = ratio.clamp(1 - self.hp["clip"], 1 + self.hp["clip"])
            actor_loss = -torch.min(ratio * advantages, clipped * advantages).mean()
            critic_loss = (returns - value).pow(2).mean()
            loss = actor_loss + self.hp["vf_coef"] * critic_loss - self.hp["ent_coef"] * dist.entropy().mean()

            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
            self.optimizer.step()
        return loss.item(), self.buffer.mean_reward()


if __name__ == "__main__":
    torch.manual_seed(8)
    agent = PPO(PointReacher(), hp)
    for u in range(hp["updates"]):
        loss, reward = agent.update()
        if u % 4 == 0:
            print("update %d  loss %.3f  mean reward %.3f" % (u, loss, reward))
