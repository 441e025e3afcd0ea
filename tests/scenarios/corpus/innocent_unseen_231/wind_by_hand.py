# gradwatch-corpus: kind=none
# wind power from weather, gradient descent with momentum by hand (lesson 3)
import torch

torch.manual_seed(99)

hours = torch.arange(1500).float()
wind = 7 + 3 * torch.sin(hours / 24 * 6.283) + torch.randn(1500)
gust = wind + torch.rand(1500) * 4
air = 1.2 + 0.03 * torch.randn(1500)
power = 0.5 * air * wind.clamp(3, 12) ** 3 / 500
x = torch.stack([wind, gust, air], 1)
x = (x - x.mean(0)) / x.std(0)
power = ((power - power.mean()) / power.std()).unsqueeze(1)

w1 = (torch.randn(3, 20) * 0.5).requires_grad_()
b1 = torch.zeros(20, requires_grad=True)
w2 = (torch.randn(20, 1) * 0.2).requires_grad_()
b2 = torch.zeros(1, requires_grad=True)
weights = [w1, b1, w2, b2]
speed = [torch.zeros_like(w) for w in weights]
lr = 0.03
beta = 0.8
smooth_loss = None
loss_scale = torch.tensor(1.0)
curve = []

for i in range(180):
    pick = torch.randint(0, 1500, (80,))
    hidden = torch.tanh(x[pick] @ weights[0] + weights[1])
    guess = hidden @ weights[2] + weights[3]
    error = guess - power[pick]
    loss = (error ** 2).mean()
    scaled = loss / loss_scale
    grads = torch.autograd.grad(scaled, weights)

    new_weights = []
    for k in range(4):
        speed[k] = beta * speed[k] + grads[k]
        w = weights[k] - lr * speed[k]
        new_weights.append(w.detach().requires_grad_())
    weights = new_weights

    if smooth_loss is None:
        smooth_loss = loss.detach()
    smooth_loss = 0.95 * smooth_loss + 0.05 * loss.detach()
    loss_scale = smooth_loss.sqrt().clamp(min=0.3)
    curve.append(smooth_loss)
    if i % 30 == 0:
        print(i, "loss", round(loss.item(), 4), "smooth", round(smooth_loss.item(), 4))

print("improved by", round((curve[0] - curve[-1]).item(), 4))
