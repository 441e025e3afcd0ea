# gradwatch-corpus: kind=graph-held
# holder: self.scalars[tag] | self.scalars | writer.scalars | writer.scalars["losses/policy_loss"]
import torch
import torch.nn as nn

from board import SummaryWriter
from envs import PointEnv

torch.set_num_threads(1)
torch.manual_seed(1)

NUM_ENVS, NUM_STEPS, MINIBATCHES, EPOCHS = 4, 32, 4, 2
GAMMA, LAM, CLIP = 0.98, 0.95, 0.2


class Agent(nn.Module):
    def __init__(self, obs_dim, n_act):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, 1))
        self.actor = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, n_act))

    def get_value(self, x):
        return self.critic(x).squeeze(-1)

    def get_action_and_value(self, x, action=None):
        probs = torch.distributions.Categorical(logits=self.actor(x))
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.get_value(x)


envs = PointEnv(NUM_ENVS)
agent = Agent(envs.obs_dim, envs.n_act)
optimizer = torch.optim.Adam(agent.parameters(), lr=2.5e-3, eps=1e-5)
writer = SummaryWriter("ppo__point__1")
obs = torch.zeros(NUM_STEPS, NUM_ENVS, envs.obs_dim)
actions = torch.zeros(NUM_STEPS, NUM_ENVS, dtype=torch.long)
logprobs, rewards, values = (torch.zeros(NUM_STEPS, NUM_ENVS) for _ in range(3))
next_obs = envs.reset()
global_step = 0

for update in range(12):
    for step in range(NUM_STEPS):
        global_step += NUM_ENVS
        obs[step] = next_obs
        with torch.no_grad():
            action, logp, _, value = agent.get_action_and_value(next_obs)
        actions[step], logprobs[step], values[step] = action, logp, value
        next_obs, rewards[step] = envs.step(action)
    with torch.no_grad():
        next_value = agent.get_value(next_obs)
        advantages, last = torch.zeros_like(rewards), 0.0
        for t in reversed(range(NUM_STEPS)):
            nxt = next_value if t == NUM_STEPS - 1 else values[t + 1]
            delta = rewards[t] + GAMMA * nxt - values[t]
            advantages[t] = last = delta + GAMMA * LAM * last
        returns = advantages + values
    b_obs, b_act = obs.flatten(0, 1), actions.flatten()
    b_logp, b_adv, b_ret = logprobs.flatten(), advantages.flatten(), returns.flatten()
    for epoch in range(EPOCHS):
        for mb in torch.randperm(NUM_STEPS * NUM_ENVS).chunk(MINIBATCHES):
            _, newlogp, entropy, newvalue = agent.get_action_and_value(b_obs[mb], b_act[mb])
            logratio = newlogp - b_logp[mb]
            ratio = logratio.exp()
            with torch.no_grad():
                approx_kl = ((ratio - 1) - logratio).mean()
            adv = (b_adv[mb] - b_adv[mb].mean()) / (b_adv[mb].std() + 1e-8)
            pg_loss = torch.max(-adv * ratio, -adv * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            v_loss = 0.5 * ((newvalue - b_ret[mb]) ** 2).mean()
            loss = pg_loss - 0.01 * entropy.mean() + 0.5 * v_loss
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
            writer.add_scalar("losses/value_loss", v_loss.item(), global_step)
            writer.add_scalar("losses/policy_loss", pg_loss, global_step)  # <- culprit
            writer.add_scalar("losses/approx_kl", approx_kl.item(), global_step)
    writer.add_scalar("charts/return", rewards.sum(0).mean().item(), global_step)
writer.close()
