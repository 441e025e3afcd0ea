# gradwatch-corpus: kind=none
import torch

from agent import RecurrentAgent
from corridor import Corridors
from storage import Rollout

HORIZON = 12


def advantages(rewards, values, dones, last, gamma=0.95, lam=0.9):
    out, running, nxt = [], torch.zeros_like(last), last
    for r, v, d in zip(reversed(rewards), reversed(values), reversed(dones)):
        delta = r + gamma * nxt * (1 - d) - v.detach()
        running = delta + gamma * lam * (1 - d) * running
        out.append(running)
        nxt = v.detach()
    return torch.stack(out[::-1])


def main():
    torch.manual_seed(1)
    env = Corridors(6, seed=2)
    agent = RecurrentAgent(env.n_obs, 3)
    opt = torch.optim.RMSprop(agent.parameters(), lr=2e-3)
    rollout = Rollout()
    obs = env.observe()
    state = agent.initial(env.n)
    history = []
    for update in range(420):
        for _ in range(HORIZON):
            dist, value, state = agent(obs, state)
            action = dist.sample()
            obs, reward, done = env.step(action)
            rollout.add(log_prob=dist.log_prob(action), value=value, entropy=dist.entropy(),
                        reward=reward, done=done, state=state)
            state = state * (1 - done).unsqueeze(1)
        with torch.no_grad():
            last = agent(obs, state)[1]
        adv = advantages(rollout.reward, rollout.value, rollout.done, last)
        values = torch.stack(rollout.value)
        actor = -(torch.stack(rollout.log_prob) * adv).mean()
        critic = (values - (adv + values.detach())).pow(2).mean()
        smooth = torch.stack(rollout.state).diff(dim=0).pow(2).mean()
        loss = actor + 0.5 * critic - 0.01 * torch.stack(rollout.entropy).mean() + 1e-3 * smooth
        opt.zero_grad()
        loss.backward()
        opt.step()
        state = state.detach()
        history.append((loss.item(), rollout.mean_reward()))
        rollout.reset()
        if update % 70 == 69:
            print(update + 1, sum(h[1] for h in history[-70:]) / 70, len(rollout.past))


if __name__ == "__main__":
    main()
