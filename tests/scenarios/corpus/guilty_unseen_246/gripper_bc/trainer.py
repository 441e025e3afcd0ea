import torch
import torch.nn.functional as F


class BcTrainer:
    def __init__(self, policy, demos, monitor, lr):
        self.policy = policy
        self.demos = demos
        self.monitor = monitor
        self.optimizer = torch.optim.AdamW(policy.parameters(), lr=lr)
        self.step_no = 0

    def loss(self, angles, commands, grip):
        arm, logit = self.policy(angles)
        imitation = F.smooth_l1_loss(arm, commands)
        grasp = F.binary_cross_entropy_with_logits(logit, grip)
        return imitation + 0.2 * grasp

    def fit(self, epochs):
        for epoch in range(epochs):
            running = 0.0
            count = 0
            for batch in self.demos.batches(size=40):
                loss = self.loss(*batch)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                running += loss.item()
                count += 1
                self.step_no += 1
            if epoch % 3 == 0:
                print(f"epoch {epoch} loss {running / count:.4f}")
