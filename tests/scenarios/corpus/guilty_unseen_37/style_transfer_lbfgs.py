# gradwatch-corpus: kind=graph-held
# holder: run_log | run_log["style"] | run_log["content"]
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(0)

imsize = 24


def gram_matrix(input):
    a, b, c, d = input.size()
    features = input.view(a * b, c * d)
    G = torch.mm(features, features.t())
    return G.div(a * b * c * d)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()

    def forward(self, input):
        self.loss = F.mse_loss(input, self.target)
        return input


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super().__init__()
        self.target = gram_matrix(target_feature).detach()

    def forward(self, input):
        self.loss = F.mse_loss(gram_matrix(input), self.target)
        return input


def small_cnn():
    net = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(),
        nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 12, 3, padding=1), nn.ReLU(),
    )
    return net.eval().requires_grad_(False)


def get_style_model_and_losses(cnn, style_img, content_img, content_at=(3,), style_at=(1, 3, 6)):
    model = nn.Sequential()
    content_losses, style_losses = [], []
    for i, layer in enumerate(cnn):
        model.add_module("l%d" % i, layer)
        if i in content_at:
            cl = ContentLoss(model(content_img))
            model.add_module("content_%d" % i, cl)
            content_losses.append(cl)
        if i in style_at:
            sl = StyleLoss(model(style_img))
            model.add_module("style_%d" % i, sl)
            style_losses.append(sl)
    return model, style_losses, content_losses


def run_style_transfer(cnn, content_img, style_img, num_steps=60, style_weight=1e4, content_weight=1):
    input_img = content_img.clone().requires_grad_(True)
    model, style_losses, content_losses = get_style_model_and_losses(cnn, style_img, content_img)
    optimizer = torch.optim.LBFGS([input_img], lr=0.5, max_iter=3)
    run_log = {"style": [], "content": []}

    for step in range(num_steps):
        def closure():
            with torch.no_grad():
                input_img.clamp_(0, 1)
            optimizer.zero_grad()
            model(input_img)
            style_score = sum(sl.loss for sl in style_losses) * style_weight
            content_score = sum(cl.loss for cl in content_losses) * content_weight
            loss = style_score + content_score
            loss.backward()
            run_log["style"].append(style_score)  # <- culprit
            run_log["content"].append(content_score)  # <- culprit
            return loss

        optimizer.step(closure)
        if step % 15 == 0:
            print("run [{}]: Style Loss : {:.4f} Content Loss: {:.4f}".format(
                step, run_log["style"][-1].item(), run_log["content"][-1].item()))

    with torch.no_grad():
        input_img.clamp_(0, 1)
    return input_img, run_log


if __name__ == "__main__":
    yy, xx = torch.meshgrid(torch.linspace(0, 1, imsize), torch.linspace(0, 1, imsize), indexing="ij")
    content = torch.stack([xx, yy, 0.5 * (xx + yy)])[None]
    style = (torch.sin(20 * torch.stack([xx, yy, xx * yy])) * 0.5 + 0.5)[None]
    out, log = run_style_transfer(small_cnn(), content, style)
    best = min(log["style"])
    print("output mean %.3f, best style %.4f" % (out.mean().item(), best.item()))
