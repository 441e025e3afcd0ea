# gradwatch-corpus: kind=second-backward
# holder: self.target | sl.target | style_loss.target | model.style_loss_3.target
# first-bad: 1
import torch
import torch.optim as optim

from build import get_style_model_and_losses
from features import TinyVGG
from images import checkerboard, gradient_image

style_weight = 1e4
content_weight = 1.0
num_steps = 80


def run_style_transfer(cnn, content_img, style_img, input_img):
    print("Building the style transfer model..")
    model, style_losses, content_losses = get_style_model_and_losses(cnn, style_img, content_img)
    model.eval()
    input_img.requires_grad_(True)
    optimizer = optim.Adam([input_img], lr=0.02)

    print("Optimizing..")
    for step in range(num_steps):
        optimizer.zero_grad()
        model(input_img)
        style_score = 0
        content_score = 0
        for sl in style_losses:
            style_score += sl.loss
        for cl in content_losses:
            content_score += cl.loss
        style_score *= style_weight
        content_score *= content_weight

        loss = style_score + content_score
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            input_img.clamp_(0, 1)

        if step % 20 == 0:
            print("step {}: Style Loss : {:.4f} Content Loss: {:.4f}".format(
                step, style_score.item(), content_score.item()))
    return input_img


torch.manual_seed(0)
content = gradient_image(32)
style = checkerboard(32)
output = run_style_transfer(TinyVGG().eval(), content, style, content.clone())
print("changed by", (output - content).abs().mean().item())
