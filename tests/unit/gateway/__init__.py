"""Tests of the gateway, part by part."""
