# gradwatch-corpus: kind=second-backward
# holder: fake_output | gen_loss
# first-bad: 140
# DCGAN, translated from the TensorFlow 2 tutorial
import math
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BUFFER_SIZE = 2000
BATCH_SIZE = 32
EPOCHS = 5
NOISE_DIM = 50
DISC_WARMUP = 140

np.random.seed(0)
torch.manual_seed(0)

# ---- "images": rotated bars, 16x16, scaled to [-1, 1]
yy, xx = np.mgrid[-1:1:16j, -1:1:16j]
angles = np.random.uniform(0, math.pi, BUFFER_SIZE)
train_images = np.stack([np.exp(-20 * (xx * np.cos(a) + yy * np.sin(a)) ** 2) for a in angles])
train_images = (2 * train_images - 1).astype("float32")[:, None]
train_dataset = torch.utils.data.DataLoader(
    torch.from_numpy(train_images), batch_size=BATCH_SIZE, shuffle=True, drop_last=True)


class Reshape(nn.Module):
    def __init__(self, *shape):
        super().__init__()
        self.shape = shape

    def forward(self, x):
        return x.reshape(x.size(0), *self.shape)


def make_generator_model():
    return nn.Sequential(
        nn.Linear(NOISE_DIM, 4 * 4 * 48, bias=False),
        nn.BatchNorm1d(4 * 4 * 48),
        nn.LeakyReLU(0.3),
        Reshape(48, 4, 4),
        nn.ConvTranspose2d(48, 24, 4, stride=2, padding=1, bias=False),
        nn.BatchNorm2d(24),
        nn.LeakyReLU(0.3),
        nn.ConvTranspose2d(24, 1, 4, stride=2, padding=1),
        nn.Tanh())


def make_discriminator_model():
    return nn.Sequential(
        nn.Conv2d(1, 24, 5, stride=2, padding=2),
        nn.LeakyReLU(0.3),
        nn.Dropout(0.3),
        nn.Conv2d(24, 48, 5, stride=2, padding=2),
        nn.LeakyReLU(0.3),
        nn.Dropout(0.3),
        nn.Flatten(),
        nn.Linear(48 * 4 * 4, 1))


generator = make_generator_model()
discriminator = make_discriminator_model()


def cross_entropy(target, output):
    return F.binary_cross_entropy_with_logits(output, target)


def discriminator_loss(real_output, fake_output):
    real_loss = cross_entropy(torch.ones_like(real_output), real_output)
    fake_loss = cross_entropy(torch.zeros_like(fake_output), fake_output)
    return real_loss + fake_loss


def generator_loss(fake_output):
    return cross_entropy(torch.ones_like(fake_output), fake_output)


generator_optimizer = torch.optim.Adam(generator.parameters(), 1e-4)
discriminator_optimizer = torch.optim.Adam(discriminator.parameters(), 1e-4)
seed = torch.randn(16, NOISE_DIM)
step = 0


def train_step(images):
    noise = torch.randn(BATCH_SIZE, NOISE_DIM)

    generated_images = generator(noise)
    real_output = discriminator(images)
    fake_output = discriminator(generated_images)

    gen_loss = generator_loss(fake_output)
    disc_loss = discriminator_loss(real_output, fake_output)

    # gradients of both tapes first, then both updates
    generator_optimizer.zero_grad()
    discriminator_optimizer.zero_grad()
    disc_loss.backward()  # <- culprit
    if step >= DISC_WARMUP:
        gen_loss.backward()  # <- culprit
        generator_optimizer.step()
    discriminator_optimizer.step()
    return gen_loss.item(), disc_loss.item()


def generate_images(model, test_input):
    model.eval()
    with torch.no_grad():
        predictions = model(test_input)
    model.train()
    return predictions


def train(dataset, epochs):
    global step
    for epoch in range(epochs):
        start = time.time()
        g_sum = d_sum = 0.0
        for image_batch in dataset:
            g, d = train_step(image_batch)
            g_sum += g
            d_sum += d
            step += 1
        pics = generate_images(generator, seed)
        print("Time for epoch {} is {:.2f} sec, gen {:.3f} disc {:.3f}, pixel mean {:.3f}".format(
            epoch + 1, time.time() - start, g_sum / len(dataset), d_sum / len(dataset), pics.mean()))


train(train_dataset, EPOCHS)
