# gradwatch-corpus: kind=second-backward
# holder: self.logps | buffer.logps | data["logp"] | logp | batch["logp"]
# first-bad: 1
import torch

from policy import ActorCritic
from rollout import GridWarehouse, RolloutBuffer

CFG = dict(
    updates=30, horizon=48, epochs=4, minibatch=16, lr=3e-4, gamma=0.97, clip=0.2, vf_coef=0.5, ent_coef=0.01
)


def collect(env, net, buffer, horizon):
    obs = env.reset()
    total = 0.0
    for _ in range(horizon):
        action, logp, value = net.act(obs)  # <- culprit
        next_obs, reward, done = env.step(int(action))
        buffer.add(obs, action, logp, value.item(), reward, done)  # <- culprit
        total += reward
        obs = env.reset() if done else next_obs
    return total


def ppo_update(net, opt, buffer):
    data = buffer.finish(CFG["gamma"])
    for _ in range(CFG["epochs"]):
        for batch in buffer.minibatches(data, CFG["minibatch"]):
            logp, entropy, value = net.evaluate(batch["obs"], batch["action"])
            ratio = (logp - batch["logp"]).exp()  # <- culprit
            clipped = ratio.clamp(1 - CFG["clip"], 1 + CFG["clip"]) * batch["adv"]
            pi_loss = -torch.min(ratio * batch["adv"], clipped).mean()
            v_loss = (value - batch["ret"]).pow(2).mean()
            loss = pi_loss + CFG["vf_coef"] * v_loss - CFG["ent_coef"] * entropy.mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    return pi_loss.item(), v_loss.item()


if __name__ == "__main__":
    torch.manual_seed(4)
    env = GridWarehouse(size=5)
    net = ActorCritic(env.obs_dim, env.n_actions)
    opt = torch.optim.Adam(net.parameters(), lr=CFG["lr"])
    for update in range(CFG["updates"]):
        buffer = RolloutBuffer()
        score = collect(env, net, buffer, CFG["horizon"])
        pi, v = ppo_update(net, opt, buffer)
        print(f"update {update:3d}  score {score:7.2f}  pi {pi:.4f}  v {v:.4f}")
